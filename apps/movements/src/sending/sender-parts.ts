import type { Tracing } from '@ponte/observability';
import type { Logger } from 'pino';
import type { Intent, Signed } from '../transactions/chain-transaction.state';
import type { Trace, ChainTransactions } from '../transactions/chain-transactions';
import type { WaitingTargets } from '../address-screening/waiting-targets';
import type { ServedChain } from '../chain/served-chains.port';
import type { Signer } from '../signer/signer.port';
import type { TreasuryGate } from '../settlement/treasury-gate';
import type { FinalityChecker } from '../finality/finality-checker';
import type { FrozenAccounts } from './frozen-accounts';
import type { Nonces } from './nonces';
import type { Sent } from './sent';

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

/** The dependencies of the sender of one operator key on one chain. */
export interface SenderParts {
  readonly served: ServedChain;
  readonly signer: Signer;
  readonly keyId: string;
  /** The highest fee offered for a unit of gas, wei. */
  readonly maxFeePerGas: bigint;
  readonly transactions: ChainTransactions;
  readonly nonces: Nonces;
  readonly finality: FinalityChecker;
  readonly sent: Sent;
  /** One per chain, shared by the senders of all its keys. */
  readonly treasury: TreasuryGate;
  readonly frozen: FrozenAccounts;
  readonly targets: WaitingTargets;
  readonly logger: Logger;
  readonly tracing: Tracing;
}

/** A transaction whose bytes are durable and can be sent. */
export interface Ready extends Omit<Due, 'funded'> {
  readonly signed: Signed;
}
