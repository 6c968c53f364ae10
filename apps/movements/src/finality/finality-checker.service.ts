import { Inject, Injectable } from '@nestjs/common';
import { logged } from '@ponte/event-sourcing';
import { isoTime } from '@ponte/kernel';
import { LOGGER, METRICS } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import { LossReports } from '../reorg/loss-reports.service';
import type { ChainTransaction, IntendedTransaction, Intent, Signed } from '../transactions/chain-transaction.state';
import { sentIn } from '../transactions/chain-transaction.state';
import type { Hex, MinedTransaction } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { Trace } from '../transactions/chain-transactions.service';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import { referenceIn } from '../sending/contract-calls';
import { AgreedSales } from './agreed-sales';
import type { FinalOutcome } from './finality';
import { finalOutcomeOf } from './finality';
import { ReferenceTakers } from './reference-takers';
import { MISSING, UNFINAL, type ChainStatus, isOldEnough, maturing } from './chain-status';

const ENDED: ChainStatus = { kind: 'ended' };

/**
 * Reads from the chain how a transaction ended, and records it once it is certain. Rejects with `Unavailable` when no
 * node answers.
 */
@Injectable()
export class FinalityChecker {
  private readonly sales: AgreedSales;
  private readonly takers: ReferenceTakers;

  constructor(
    private readonly transactions: ChainTransactions,
    private readonly losses: LossReports,
    @Inject(METRICS) metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.sales = new AgreedSales(logger);
    this.takers = new ReferenceTakers(metrics, logger);
  }

  /**
   * `txHash` is the hash of the bytes that were sent last. Bytes with lower fees that were sent before are searched
   * too: whichever is mined counts.
   */
  async settle(served: ServedChain, transactionId: string, txHash: Hex, trace: Trace): Promise<ChainStatus> {
    const { hash, transaction } = await this.firstMined(served, transactionId, txHash);
    if (transaction === null) return MISSING;
    if (!isOldEnough(transaction, served)) return maturing(transaction, served);
    return transaction.succeeded
      ? this.confirm(served, transactionId, hash, transaction, false, trace)
      : this.reverted(served, transactionId, transaction.revertReason ?? 'reverted', trace);
  }

  private async firstMined(
    { evm }: ServedChain,
    transactionId: string,
    latest: Hex,
  ): Promise<{ readonly hash: Hex; readonly transaction: MinedTransaction | null }> {
    const transaction = await evm.transaction(latest);
    if (transaction.status === 'mined') return { hash: latest, transaction };
    const attempts = sentIn(await this.stateOf(transactionId))?.attempts ?? [];
    for (const { txHash } of [...attempts].reverse()) {
      if (txHash === latest) continue;
      const earlier = await evm.transaction(txHash as Hex);
      if (earlier.status === 'mined') return { hash: txHash as Hex, transaction: earlier };
    }
    return { hash: latest, transaction: null };
  }

  /**
   * Ends the transaction if any transaction has already made its movement; undefined if its reference is not taken.
   * Checked before a failure is recorded: the tokens of a mint must never exist while its order is rolled back.
   */
  async endIfEffective(served: ServedChain, intent: Intent, trace: Trace): Promise<ChainStatus | undefined> {
    const found = await this.takers.find(served, await this.stateOf(intent.transactionId), trace);
    if (found?.kind !== 'taker') return found;
    const { txHash, mined, isOurs } = found;
    return this.confirm(served, intent.transactionId, txHash, mined, !isOurs, trace);
  }

  /** Whether another transaction used its reference for another movement, in a final block. Records nothing. */
  async isMisused(served: ServedChain, { transactionId }: Intent, trace: Trace): Promise<boolean> {
    return (await this.takers.find(served, await this.stateOf(transactionId), trace))?.kind === 'misused';
  }

  /**
   * Called when the nonce is used and none of our hashes is in a block. Ends the transaction if a final block shows
   * that another one has used the nonce.
   */
  async supersede(served: ServedChain, transactionId: string, trace: Trace): Promise<ChainStatus> {
    const state = await this.stateOf(transactionId);
    const ended = await this.endIfEffective(served, state.intent, trace);
    if (ended) return ended;
    if ((await this.finalOutcome(served, state)).kind !== 'superseded') return UNFINAL;
    this.logger.error(
      { ...logged(trace), transactionId, chain: served.evm.chain },
      'another transaction has used the nonce: another program may have this key',
    );
    this.reportLost(await this.transactions.execute(transactionId, { kind: 'supersede' }, 'supersede', trace), trace);
    return ENDED;
  }

  private async reverted(
    served: ServedChain,
    transactionId: string,
    reason: string,
    trace: Trace,
  ): Promise<ChainStatus> {
    const state = await this.stateOf(transactionId);
    const ended = await this.endIfEffective(served, state.intent, trace);
    if (ended) return ended;
    // The reason decides nothing: a contract that the movement calls can choose it. A final block does.
    if ((await this.finalOutcome(served, state)).kind !== 'reverted') return UNFINAL;
    this.logger.error(
      { ...logged(trace), transactionId, chain: served.evm.chain, reason },
      'a transaction was reverted',
    );
    this.reportLost(await this.transactions.execute(transactionId, { kind: 'revert', reason }, 'revert', trace), trace);
    return ENDED;
  }

  /** Reports a transaction that has just been lost. It was completed, and its bytes have no effect any more. */
  reportLost(state: ChainTransaction, trace: Trace): void {
    if (state.status === 'lost') this.losses.report(state.intent, trace);
  }

  /** The outcome in a final block. Rejects with `Unavailable` when too few nodes agree on it. */
  private async finalOutcome({ evm }: ServedChain, state: IntendedTransaction): Promise<FinalOutcome> {
    const sent = sentIn(state);
    if (sent === null) return { kind: 'open' };
    const { intent, signed, attempts } = sent;
    const { by, reference } = referenceIn(intent);
    const evidence = await evm.atFinality({
      sender: intent.from as Hex,
      hashes: attempts.map(({ txHash }) => txHash as Hex),
      reference,
      by,
    });
    return finalOutcomeOf(evidence, { nonce: signed.nonce, reference });
  }

  /** `certain` states that a final block of the nodes that must agree has it. */
  private async confirm(
    { evm, confirmations }: ServedChain,
    transactionId: string,
    txHash: Signed['txHash'],
    found: MinedTransaction,
    certain: boolean,
    trace: Trace,
  ): Promise<ChainStatus> {
    const { blockNumber, blockHash, blockTime } = found;
    const mined = { txHash, blockNumber: String(blockNumber), blockHash, minedAt: isoTime(blockTime) };
    const state = await this.transactions.load(transactionId, ({ status }) => status === 'signed');
    const place = { blockHash, confirmations };
    // The other nodes may have it with the next block.
    if (await this.sales.waits(evm, state, txHash as Hex, place, trace))
      return { kind: 'unfinal', readyAt: blockNumber + found.confirmations };
    // One node's word completes a movement. It is watched until a second node, or the only one, has it too.
    const final = certain || (found.final && (await evm.agreedMined(txHash as Hex, place)));
    const reorgs = sentIn(state)?.reorgs ?? 0;
    const step = reorgs === 0 ? 'confirm' : `confirm after reorg ${reorgs}`;
    const confirming = (at: string) => ({ kind: 'confirm', mined, final, at }) as const;
    const after = await this.transactions.execute(transactionId, confirming, step, trace);
    // The state above was from before a reorg that another process recorded, so the step had been executed already.
    return after.status === 'reorged' ? { kind: 'unfinal', readyAt: 0 } : ENDED;
  }

  private async stateOf(transactionId: string): Promise<IntendedTransaction> {
    const state = await this.transactions.load(transactionId);
    if (state.status === 'absent') throw new Error(`transaction ${transactionId} has no intent`);
    return state;
  }
}
