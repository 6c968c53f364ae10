import type { Intent } from '../transactions/chain-transaction.state';
import type { Trace } from '../transactions/chain-transactions';

/** A transaction that is to be signed. */
export interface Due {
  readonly intent: Intent;
  /** It was recorded that the treasury pays it. */
  readonly funded: boolean;
  readonly trace: Trace;
}

/** An intent, and whether it has a nonce. One that has is signed in any case: a gap would hold up all others. */
export interface NumberedDue extends Due {
  readonly numbered: boolean;
}
