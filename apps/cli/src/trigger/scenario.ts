import type { Session } from '../session';

/** What a scenario did, in the order it did it. */
export interface Step {
  readonly did: string;
  readonly id: string;
  readonly state: string;
}

/** Something that happens in the sandbox, from its cause to its last event. */
export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** BRL, where the scenario moves money and none is named. */
  readonly amount?: string;
  readonly run: (session: Session, amount: string, report: (step: Step) => void) => Promise<void>;
}
