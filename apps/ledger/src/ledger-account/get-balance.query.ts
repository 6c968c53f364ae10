import { Inject } from '@nestjs/common';
import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { BalanceRecord, GetBalance } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { assetOf, formatDecimal, isoTime } from '@ponte/kernel';
import { CLOCK, RequestQuery } from '@ponte/nest';
import { availableOf, balanceOf } from './ledger-account.state';
import { LedgerAccounts } from './ledger-accounts.repository';

/** The sum over assets that share one scale, from a single state of the account's stream. */
export class GetBalanceQuery extends RequestQuery<typeof GetBalance> {}

@QueryHandler(GetBalanceQuery)
export class GetBalanceHandler implements IQueryHandler<GetBalanceQuery> {
  constructor(
    private readonly ledgerAccounts: LedgerAccounts,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { accountId, assets } }: GetBalanceQuery): Promise<BalanceRecord> {
    const scales = new Set(assets.map((asset) => assetOf(asset).scale));
    const [scale] = scales;
    if (scale === undefined || scales.size > 1) throw new TypeError('the assets of a balance must share one scale');
    const asOf = isoTime(this.clock.now());
    const state = await this.ledgerAccounts.load(accountId);
    const balances = assets.map((asset) => balanceOf(state, asset));
    const total = (of: (balance: (typeof balances)[number]) => bigint) =>
      formatDecimal(
        balances.reduce((sum, balance) => sum + of(balance), 0n),
        scale,
      );
    return {
      running: total(({ running }) => running),
      available: total(availableOf),
      held: total(({ held }) => held),
      asOf,
    };
  }
}
