import { logged } from '@ponte/event-sourcing';
import { lruCache } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import type { EvmChain, Hex, MinedTransaction } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import { referenceIn, tokenRequestOf } from '../sending/contract-calls';
import type { IntendedTransaction, Intent } from '../transactions/chain-transaction.state';
import { certificateMovementOf } from '../certificates/certificate-purpose';
import { sentIn } from '../transactions/chain-transaction.state';
import type { Trace } from '../transactions/chain-transactions.service';
import { MISSING, MISUSED, UNFINAL, type ChainStatus, isOldEnough, maturing } from './chain-status';

/** The transaction that made a movement. */
interface Taker {
  readonly kind: 'taker';
  readonly txHash: Hex;
  readonly mined: MinedTransaction;
  /** Whether its hash is one of ours. Otherwise a final block of the nodes that must agree has it. */
  readonly isOurs: boolean;
}

/** Number of misused references that are remembered, so that each is logged once. */
const REMEMBERED = 10_000;

/** Finds the transactions in which a contract took the references of movements. */
export class ReferenceTakers {
  private readonly reported = lruCache<string, true>(REMEMBERED);

  constructor(
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** Undefined if the reference is not taken. A standing if the taker does not complete the movement, or not yet. */
  async find(served: ServedChain, state: IntendedTransaction, trace: Trace): Promise<Taker | ChainStatus | undefined> {
    const { evm } = served;
    const { intent } = state;
    const { by, reference } = referenceIn(intent);
    if (!(await evm.taken(by, reference))) return undefined;
    const txHash = await evm.takenIn(by, reference, Date.parse(intent.intendedAt));
    const mined = txHash === null ? null : await evm.transaction(txHash);
    if (txHash === null || mined?.status !== 'mined' || !mined.succeeded) return MISSING;
    if (!isOldEnough(mined, served)) return maturing(mined, served);
    const isOurs = sentIn(state)?.attempts.some((attempt) => attempt.txHash === txHash) ?? false;
    if (isOurs) return { kind: 'taker', txHash, mined, isOurs };
    // It does not use one of our nonces, so nothing would watch it: it counts only once it is final.
    const { receipts, referenceTaken } = await evm.atFinality({
      sender: intent.from as Hex,
      hashes: [txHash],
      reference,
      by,
    });
    if (!referenceTaken || receipts[0]?.succeeded !== true) return UNFINAL;
    const about = { ...logged(trace), transactionId: intent.transactionId, chain: evm.chain, txHash };
    if (await this.isSameMovement(evm, intent, txHash)) {
      this.logger.warn(about, 'another transaction had already used the reference');
      return { kind: 'taker', txHash, mined, isOurs };
    }
    this.metrics.counter('ponte_references_misused_total', { chain: evm.chain }).inc();
    if (!this.reported.get(intent.transactionId))
      this.logger.error(about, 'another transaction has used the reference for another movement');
    this.reported.set(intent.transactionId, true);
    return MISUSED;
  }

  private async isSameMovement(evm: EvmChain, { purpose }: Intent, txHash: Hex): Promise<boolean> {
    // A certificate compares its movement again before it is settled, so one node is enough here.
    if (purpose.kind === 'certificate-mint' || purpose.kind === 'nft-movement')
      return evm.certificates.moved(txHash, certificateMovementOf(purpose));
    return evm.agreedMovement(txHash, tokenRequestOf(purpose));
  }
}
