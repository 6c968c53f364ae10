import type { Session } from '../session';

export interface Step {
  readonly did: string;
  readonly id: string;
  readonly state: string;
}

/** A course of events in the sandbox, from its cause to its last event. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** The default amount in BRL, for a scenario that moves money. */
  readonly amount?: string;
  readonly run: (session: Session, amount: string, report: (step: Step) => void) => Promise<void>;
}
