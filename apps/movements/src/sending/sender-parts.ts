import type { Tracing } from '@ponte/observability';
import type { Logger } from 'pino';
import type { ChainTransactions } from '../transactions/chain-transactions.service';
import type { WaitingTargets } from '../address-screening/waiting-targets.service';
import type { ServedChain } from '../chain/served-chains.port';
import type { Signer } from '../signer/signer.port';
import type { SignedAmounts } from '../signer-policy/signed-amounts.service';
import type { TreasuryGate } from '../settlement/treasury-gate';
import type { FinalityChecker } from '../finality/finality-checker.service';
import type { FeeLimits } from './fees';
import type { FrozenAccounts } from './frozen-accounts.service';
import type { GiveUpUnsent } from '../unsent/give-up-unsent.service';
import type { KeylessEnds } from '../unsent/keyless-end.service';
import type { Nonces } from './nonces.service';
import type { Sent } from './sent.service';

/** The dependencies of the sender of one operator key on one chain. */
export interface SenderParts {
  readonly served: ServedChain;
  readonly signer: Signer;
  readonly keyId: string;
  readonly feeLimits: FeeLimits;
  readonly transactions: ChainTransactions;
  readonly nonces: Nonces;
  readonly finality: FinalityChecker;
  readonly sent: Sent;
  /** One per chain, shared by the senders of all its keys. */
  readonly treasury: TreasuryGate;
  readonly frozen: FrozenAccounts;
  readonly unsent: GiveUpUnsent;
  readonly keyless: KeylessEnds;
  readonly targets: WaitingTargets;
  readonly signedAmounts: SignedAmounts;
  readonly logger: Logger;
  readonly tracing: Tracing;
}
