import { logged } from '@ponte/event-sourcing';
import type { AssetId, Clock } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { Intent, Signed } from '../transactions/chain-transaction.state';
import type { EvmChain, Hex } from '../chain/chain.port';
import type { Due } from '../sending/due';
import type { ChainTransactions } from '../transactions/chain-transactions';
import type { PaymentRequest } from './treasury-funds';
import { TreasuryFunds, isTreasuryPayment } from './treasury-funds';
import type { TreasuryReservations } from './treasury-reservations';

export interface TreasuryGateParts {
  readonly evm: EvmChain;
  readonly transactions: ChainTransactions;
  readonly reservations: TreasuryReservations;
  /** For how long a payment waits before it is given up, ms. */
  readonly liquidityMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Lets the payments of the treasury of one chain pass that it can make, and gives up those that it could not make in
 * time.
 */
export class TreasuryGate {
  readonly funds: TreasuryFunds;

  constructor(private readonly parts: TreasuryGateParts) {
    this.funds = new TreasuryFunds(parts.evm, parts.reservations, () => parts.clock.now());
  }

  /**
   * Without the payments that the treasury cannot make now. They are asked for again by the next round, and given up
   * when nothing was signed in time.
   * What is payable is recorded before it gets a nonce: from then on it is signed in any case, so that no nonce is
   * left without bytes.
   */
  async payable<D extends Due>(dues: readonly D[]): Promise<D[]> {
    const [passed, requests]: [D[], (PaymentRequest & { readonly due: D })[]] = [[], []];
    for (const due of dues) {
      const { transactionId, purpose } = due.intent;
      if (!isTreasuryPayment(this.parts.evm.chain, purpose)) passed.push(due);
      else if (!due.funded) requests.push({ due, transactionId, purpose });
      else passed.push(due);
    }
    return [...passed, ...(await this.funded(requests))];
  }

  /** A payment that a block had once, and that goes out again, is set aside again. */
  async noteSentAgain({
    intent,
    signed: { nonce },
  }: {
    readonly intent: Intent;
    readonly signed: Signed;
  }): Promise<void> {
    const { transactionId, purpose, from } = intent;
    const { evm, logger } = this.parts;
    if (!isTreasuryPayment(evm.chain, purpose)) return;
    try {
      await this.funds.restore({ transactionId, purpose }, { from: from as Hex, nonce });
    } catch (error) {
      logger.warn(
        { err: error, transactionId, chain: evm.chain },
        'a payment that is sent again could not be set aside; the next round repeats it',
      );
    }
  }

  /** One that cannot be recorded now is left to the next round. */
  private async funded<D extends Due>(requests: readonly (PaymentRequest & { readonly due: D })[]): Promise<D[]> {
    const { transactions, logger, evm } = this.parts;
    if (requests.length === 0) return [];
    try {
      const reserved = await this.funds.reserve(requests);
      const done = await Promise.allSettled(
        requests.map(async ({ due, transactionId, purpose }): Promise<D[]> => {
          if (!reserved.has(transactionId)) {
            await this.wait(due, purpose.asset);
            return [];
          }
          const state = await transactions.carryOut(transactionId, (at) => ({ kind: 'fund', at }), 'fund', due.trace);
          if (state.status !== 'given-up') return [due];
          this.funds.forget(transactionId);
          return [];
        }),
      );
      const failed = done.find((one) => one.status === 'rejected');
      if (failed)
        logger.warn(
          { err: failed.reason as unknown, chain: evm.chain },
          'a payment of the treasury could not be decided; the next round repeats it',
        );
      return done.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    } catch (error) {
      logger.warn({ err: error, chain: evm.chain }, 'what the treasury holds is not known; the next round asks again');
      return [];
    }
  }

  private async wait({ intent: { transactionId, intendedAt }, trace }: Due, asset: AssetId): Promise<void> {
    const { evm, transactions, liquidityMs, clock, logger } = this.parts;
    const about = { ...logged(trace), transactionId, chain: evm.chain, asset };
    if (clock.now() - Date.parse(intendedAt) < liquidityMs) {
      if (this.funds.wait(transactionId, asset)) logger.error(about, 'the treasury cannot pay; the payment waits');
      return;
    }
    const state = await transactions.carryOut(
      transactionId,
      (at) => ({ kind: 'give-up', reason: 'liquidity-unavailable', at }),
      'give-up',
      trace,
    );
    if (state.status !== 'given-up') return;
    this.funds.forget(transactionId);
    logger.error(about, 'the treasury could not pay in time; the payment is given up');
  }
}
