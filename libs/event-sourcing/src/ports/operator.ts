import type { Position } from '../event';

/**
 * What an operator requests from a service. A change is kept permanently, to show who changed what, and why. A read,
 * which only another process can make, is kept until it is answered.
 */
export interface OperatorAction {
  readonly id: string;
  /** `parked release`, `relay rewind`, … */
  readonly verb: string;
  readonly subject: Readonly<Record<string, string>>;
  /** Name of the operator who requested it. */
  readonly actor: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly askedAt: string;
}

/** The result of an action. `detail` is for operators: it names streams, events and errors, never personal data. */
export interface OperatorOutcome {
  readonly succeeded: boolean;
  readonly detail: string;
}

export interface KnownAction extends OperatorAction {
  /** The process that executes it; null until a process takes it. */
  readonly takenBy: string | null;
  readonly outcome: (OperatorOutcome & { readonly endedAt: string }) | null;
}

/** The actions of one service, shared by its processes and operators. Changes are durable when promises resolve. */
export interface OperatorActions {
  ask(action: OperatorAction): Promise<void>;
  /** Actions that no process has taken, oldest first. */
  open(): Promise<readonly OperatorAction[]>;
  /** True for exactly one process; false if another took the action or if it was withdrawn. */
  take(id: string, by: string): Promise<boolean>;
  end(id: string, outcome: OperatorOutcome, at: string): Promise<void>;
  find(id: string): Promise<KnownAction | undefined>;
  /** Deletes an action of one of the verbs, and those that were requested before a time (ISO 8601). */
  forget(verbs: readonly string[], id: string, askedBefore: string): Promise<void>;
  /** Actions of a verb that succeeded, oldest first. */
  succeeded(verb: string): Promise<readonly KnownAction[]>;
  /** Newest first, without those of the verbs in `except`. */
  list(limit: number, except?: readonly string[]): Promise<readonly KnownAction[]>;
}

export interface KeptCheckpoint {
  readonly reader: string;
  readonly position: Position;
  readonly fence: number;
}

/** The reason why a reader cannot get past a part of the log. */
export interface ReaderTrouble {
  readonly reader: string;
  readonly trouble: string;
  /** Time of the first failure in the current series, ISO 8601. */
  readonly since: string;
}

/** What operators can read about the readers of a service, and change. */
export interface OperatorState {
  readonly actions: OperatorActions;
  /** Ordered by name. */
  checkpoints(): Promise<readonly KeptCheckpoint[]>;
  /**
   * Moves a reader to a position; `undefined` is the beginning. A process that holds the reader's lease with a lower
   * fencing number can no longer write its checkpoint.
   */
  place(reader: string, position: Position | undefined, fence: number): Promise<void>;
  troubles(): Promise<readonly ReaderTrouble[]>;
}
