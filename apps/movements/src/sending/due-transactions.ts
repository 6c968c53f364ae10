import type { ContractCall } from '../chain/chain.port';
import type { Intent, Signed } from '../transactions/chain-transaction.state';
import type { Trace } from '../transactions/chain-transactions.service';

/** A transaction that is to be signed. */
export interface DueTransaction {
  readonly intent: Intent;
  /** Whether it is recorded that the treasury pays it. */
  readonly funded: boolean;
  readonly trace: Trace;
}

/** One that has a nonce is signed in any case: a gap would block all later transactions. */
export interface NumberedTransaction extends DueTransaction {
  readonly numbered: boolean;
}

/** One whose call the signer's policy allows. */
export interface AuthorizedTransaction extends NumberedTransaction {
  readonly call: ContractCall & { readonly chainId: number };
}

/** A transaction whose bytes are durable and can be sent. */
export interface Ready extends Omit<DueTransaction, 'funded'> {
  readonly signed: Signed;
}
