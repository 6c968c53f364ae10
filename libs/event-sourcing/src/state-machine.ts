/** The legal transitions of a resource: for each state, its possible successors. A terminal state has none. */
export type StateMachine<S extends string> = Readonly<Record<S, readonly S[]>>;

export const mayMove = <S extends string>(machine: StateMachine<S>, from: S, to: S): boolean =>
  machine[from].includes(to);

/** Throws if the table does not contain the transition. That is a defect in a decider, never a caller's mistake. */
export function assertMove<S extends string>(machine: StateMachine<S>, from: S, to: S): void {
  if (!mayMove(machine, from, to)) throw new Error(`cannot change from ${from} to ${to}`);
}
