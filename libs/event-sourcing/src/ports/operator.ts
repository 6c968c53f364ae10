import type { Position } from '../event';

/** Something that an operator asks of the processes of a service. Kept for good: it says who changed what, and why. */
export interface OperatorAction {
  readonly id: string;
  /** `parked release`, `relay rewind`, … */
  readonly verb: string;
  readonly subject: Readonly<Record<string, string>>;
  /** Who asked. */
  readonly actor: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly askedAt: string;
}

/** How an action ended. `detail` is for the operator: it names streams, events and errors, never personal data. */
export interface OperatorOutcome {
  readonly succeeded: boolean;
  readonly detail: string;
}

export interface KnownAction extends OperatorAction {
  /** The process that carries it out; null while no one does. */
  readonly takenBy: string | null;
  readonly outcome: (OperatorOutcome & { readonly endedAt: string }) | null;
}

/**
 * The actions of one service, shared by its processes and its operators. Everything is durable when the promise
 * resolves.
 */
export interface OperatorActions {
  ask(action: OperatorAction): Promise<void>;
  /** Those that no one has taken, oldest first. */
  open(): Promise<readonly OperatorAction[]>;
  /** True for one taker alone; false when another has it, or when it was withdrawn. */
  take(id: string, by: string): Promise<boolean>;
  end(id: string, outcome: OperatorOutcome, at: string): Promise<void>;
  find(id: string): Promise<KnownAction | undefined>;
  /** Those of a verb that were carried out, oldest first. */
  carriedOut(verb: string): Promise<readonly KnownAction[]>;
  /** Newest first. */
  list(limit: number): Promise<readonly KnownAction[]>;
}

/** A reader's place, as it is kept. */
export interface KeptCheckpoint {
  readonly reader: string;
  readonly position: Position;
  readonly fence: number;
}

/** What keeps a reader from passing a part of the log. */
export interface ReaderTrouble {
  readonly reader: string;
  readonly trouble: string;
  /** Of the first failure in a row, ISO 8601. */
  readonly since: string;
}

/** What operators see of the readers of a service and do to them. */
export interface OperatorState {
  readonly actions: OperatorActions;
  /** By name. */
  checkpoints(): Promise<readonly KeptCheckpoint[]>;
  /**
   * Moves a reader to a position; `undefined` is the beginning. A holder of its lease under a lower fencing number can
   * no longer write its checkpoint.
   */
  place(reader: string, position: Position | undefined, fence: number): Promise<void>;
  troubles(): Promise<readonly ReaderTrouble[]>;
}
