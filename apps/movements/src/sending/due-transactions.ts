import type { ContractCall } from '../chain/chain.port';
import type { Intent, Signed } from '../transactions/chain-transaction.state';
import type { Trace } from '../transactions/chain-transactions';

/** A transaction that is to be signed. */
export interface Due {
  readonly intent: Intent;
  /** Whether it is recorded that the treasury pays it. */
  readonly funded: boolean;
  readonly trace: Trace;
}

/** One that has a nonce is signed in any case: a gap would block all later transactions. */
export interface NumberedDue extends Due {
  readonly numbered: boolean;
}

/** One whose call the signer's policy allows. */
export interface AuthorizedDue extends NumberedDue {
  readonly call: ContractCall & { readonly chainId: number };
}

/** A transaction whose bytes are durable and can be sent. */
export interface Ready extends Omit<Due, 'funded'> {
  readonly signed: Signed;
}
