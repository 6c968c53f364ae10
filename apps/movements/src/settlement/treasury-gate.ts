import type { TokenMovementPurpose, TransactionPurpose } from '@ponte/contracts';
import { logged } from '@ponte/event-sourcing';
import type { AssetId, Chain, Clock } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { Sent } from '../transactions/chain-transaction.state';
import type { EvmChain } from '../chain/chain.port';
import type { DueTransaction } from '../sending/due-transactions';
import type { ChainTransactions } from '../transactions/chain-transactions.service';
import { treasuryWalletId } from '../wallet/wallet.decider';
import type { SentPayment, TreasuryReservations } from './treasury-reservations.service';

interface PaymentRequest {
  readonly transactionId: string;
  readonly purpose: TokenMovementPurpose;
}

/** The number of payments of an asset that the treasury cannot make now. */
interface WaitingPayments {
  readonly asset: AssetId;
  readonly count: number;
}

/**
 * A payment that no round has checked within this time was handled by another process, or waits for something else,
 * milliseconds.
 */
const SEEN_MS = 60_000;

interface Waiting {
  readonly asset: AssetId;
  readonly seenAt: number;
  /** How long it has waited for the treasury, ms. */
  readonly waitedMs: number;
}

/** Whether a transaction pays dollar tokens out of the treasury wallet of its chain. */
export const isTreasuryPayment = (chain: Chain, purpose: TransactionPurpose): purpose is TokenMovementPurpose =>
  purpose.kind === 'token-movement' && purpose.walletIds.includes(treasuryWalletId(chain));

interface TreasuryGateParts {
  readonly evm: EvmChain;
  readonly transactions: ChainTransactions;
  readonly reservations: TreasuryReservations;
  /** How long a payment waits for the treasury before it is given up, ms. */
  readonly liquidityMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Passes the payments that the treasury of one chain can make, and gives up those that it could not make in time.
 * Reservations are recorded and shared by all processes. Waiting payments are kept only in memory: after a restart, the
 * time in which the treasury can be filled starts again.
 */
export class TreasuryGate {
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly parts: TreasuryGateParts) {}

  /** The tokens with waiting payments. */
  waitingPayments(): readonly WaitingPayments[] {
    const since = this.parts.clock.now() - SEEN_MS;
    const counts = new Map<AssetId, number>();
    for (const { asset, seenAt } of this.waiting.values())
      if (seenAt >= since) counts.set(asset, (counts.get(asset) ?? 0) + 1);
    return [...counts].map(([asset, count]) => ({ asset, count }));
  }

  /**
   * Removes the payments that the treasury cannot make now. The next round tries them again, and they are given up when
   * the treasury could not make them in time. A payable one is recorded before it gets a nonce: from then on it is
   * signed in any case, so that no nonce is left without bytes.
   */
  async payable<D extends DueTransaction>(transactions: readonly D[]): Promise<D[]> {
    const [passed, requests]: [D[], (PaymentRequest & { readonly due: D })[]] = [[], []];
    for (const due of transactions) {
      const { transactionId, purpose } = due.intent;
      if (!isTreasuryPayment(this.parts.evm.chain, purpose)) passed.push(due);
      else if (!due.funded) requests.push({ due, transactionId, purpose });
      else passed.push(due);
    }
    return [...passed, ...(await this.funded(requests))];
  }

  /** Reserves the amounts of payments again that were in a block and are sent again. */
  async noteSentAgain(sent: readonly Pick<Sent, 'intent' | 'signed'>[]): Promise<void> {
    const { evm, reservations, logger } = this.parts;
    const payments = new Map<AssetId, SentPayment[]>();
    for (const { intent, signed } of sent) {
      const { transactionId, purpose, from } = intent;
      if (!isTreasuryPayment(evm.chain, purpose)) continue;
      const payment = { transactionId, amount: purpose.amount, from, nonce: signed.nonce };
      payments.set(purpose.asset, [...(payments.get(purpose.asset) ?? []), payment]);
    }
    for (const [asset, ofAsset] of payments)
      try {
        await reservations.restore(evm, asset, ofAsset);
      } catch (error) {
        logger.warn(
          { err: error, chain: evm.chain, asset, payments: ofAsset.length },
          'payments that are sent again could not be set aside; the next round repeats it',
        );
      }
  }

  /** The next round repeats payments that cannot be recorded now. */
  private async funded<D extends DueTransaction>(
    requests: readonly (PaymentRequest & { readonly due: D })[],
  ): Promise<D[]> {
    const { transactions, logger, evm } = this.parts;
    if (requests.length === 0) return [];
    try {
      const reserved = await this.reserve(requests);
      const results = await Promise.allSettled(
        requests.map(async ({ due, transactionId, purpose }): Promise<D[]> => {
          if (!reserved.has(transactionId)) {
            await this.wait(due, purpose.asset);
            return [];
          }
          const state = await transactions.execute(transactionId, (at) => ({ kind: 'fund', at }), 'fund', due.trace);
          if (state.status !== 'given-up') return [due];
          this.waiting.delete(transactionId);
          return [];
        }),
      );
      const failed = results.find((one) => one.status === 'rejected');
      if (failed)
        logger.warn(
          { err: failed.reason as unknown, chain: evm.chain },
          'could not decide on a payment of the treasury; the next round tries again',
        );
      return results.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    } catch (error) {
      logger.warn(
        { err: error, chain: evm.chain },
        'the balance of the treasury is unknown; the next round reads it again',
      );
      return [];
    }
  }

  /** Reserves as many payments as possible, in this order, and returns their ids. */
  private async reserve(requests: readonly PaymentRequest[]): Promise<ReadonlySet<string>> {
    const { evm, reservations } = this.parts;
    const chosen = new Set<string>();
    for (const asset of new Set(requests.map(({ purpose }) => purpose.asset))) {
      const payments = requests
        .filter(({ purpose }) => purpose.asset === asset)
        .map(({ transactionId, purpose: { amount } }) => ({ transactionId, amount }));
      for (const id of await reservations.reserve(evm, asset, payments)) chosen.add(id);
    }
    for (const id of chosen) this.waiting.delete(id);
    return chosen;
  }

  /** A payment may be old because it waited for something else before. Only the time spent here counts. */
  private async wait({ intent: { transactionId }, trace }: DueTransaction, asset: AssetId): Promise<void> {
    const { evm, transactions, liquidityMs, clock, logger } = this.parts;
    const about = { ...logged(trace), transactionId, chain: evm.chain, asset };
    const known = this.waiting.get(transactionId);
    const seenAt = clock.now();
    const waitedMs = known ? known.waitedMs + Math.min(seenAt - known.seenAt, SEEN_MS) : 0;
    if (waitedMs < liquidityMs) {
      this.waiting.set(transactionId, { asset, seenAt, waitedMs });
      if (!known) logger.error(about, 'the treasury cannot pay; the payment waits');
      return;
    }
    const state = await transactions.execute(
      transactionId,
      (at) => ({ kind: 'give-up', reason: 'liquidity-unavailable', at }),
      'give-up',
      trace,
    );
    if (state.status !== 'given-up') return;
    this.waiting.delete(transactionId);
    logger.error(about, 'the treasury could not pay in time; the payment is given up');
  }
}
