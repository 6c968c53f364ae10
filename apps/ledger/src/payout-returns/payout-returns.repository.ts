import { Injectable } from '@nestjs/common';
import type { PageCursor } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { Money } from '@ponte/kernel';
import { defineRepository } from '@ponte/nest';
import { depositIdOf } from '../deposit/deposit.state';
import { DepositReadModel } from '../deposit/deposits.read-model';
import { Deposits } from '../deposit/deposits.repository';
import type { PayoutReturn } from '../payouts/payouts.port';
import { step } from '../steps';
import type { WithdrawalTerms } from '../withdrawal/withdrawal.state';
import type { CountedReturns, ReturnedAmount } from './payout-returns.decider';
import { payoutReturns } from './payout-returns.decider';

/** The streams of the returns of payments. */
@Injectable()
export class PayoutReturnStreams extends defineRepository(payoutReturns) {}

/** How many deposits are read at a time. */
const PAGE = 200;

/** Counts the returns of each payment, so that what is credited never exceeds it. */
@Injectable()
export class PayoutReturns {
  constructor(
    private readonly streams: PayoutReturnStreams,
    private readonly deposits: Deposits,
    private readonly readModel: DepositReadModel,
  ) {}

  /**
   * Counts the returns that the bank lists for the payment of a withdrawal, and returns all that it ever listed.
   * Repeating it changes nothing.
   */
  async count(
    terms: WithdrawalTerms,
    returns: readonly PayoutReturn[],
    context: RequestContext,
  ): Promise<CountedReturns> {
    const { withdrawalId, asset, amount: paid } = terms;
    const known = await this.streams.load(withdrawalId);
    if (returns.every(({ returnId }) => known.has(returnId))) return known;
    const listed = returns.map(({ returnId, amount }) => ({
      returnId,
      amount: Money.parse(asset, amount).toString(),
    }));
    const deposited = [...(await this.depositedOf(terms, listed)), ...(await this.inReadModel(terms))];
    const names = listed.map(({ returnId, amount }) => `${returnId} ${amount}`).sort();
    return this.streams.execute(
      withdrawalId,
      (now) => ({ kind: 'list', withdrawalId, asset, paid, listed, deposited, now }),
      step(context, 'list-returns', withdrawalId, ...names),
    );
  }

  /** The listed returns that already have a deposit. */
  private async depositedOf(
    { withdrawalId }: WithdrawalTerms,
    listed: readonly ReturnedAmount[],
  ): Promise<readonly ReturnedAmount[]> {
    const states = await Promise.all(listed.map(({ returnId }) => this.deposits.load(depositIdOf(returnId))));
    return listed.flatMap(({ returnId }, at) => {
      const state = states[at];
      return state && state.status !== 'none' && state.facts.withdrawalId === withdrawalId
        ? [{ returnId, amount: state.facts.amount }]
        : [];
    });
  }

  /**
   * Returns that were credited by a release that did not count them, and that the bank may no longer list: only the
   * read model can find them. Newer ones are in the stream, which decides.
   */
  private async inReadModel({
    withdrawalId,
    accountId,
    asset,
    createdAt,
  }: WithdrawalTerms): Promise<readonly ReturnedAmount[]> {
    const found: ReturnedAmount[] = [];
    const filters = { assets: [asset], status: null, type: null, endToEndId: null, txHash: null };
    let cursor: PageCursor | null = null;
    do {
      const page = { limit: PAGE, cursor, createdFrom: createdAt, createdTo: null };
      const { items, next } = await this.readModel.page(accountId, filters, page);
      for (const { withdrawalId: of, endToEndId: returnId, amount } of items)
        if (of === withdrawalId && returnId !== null) found.push({ returnId, amount });
      cursor = next;
    } while (cursor !== null);
    return found;
  }
}
