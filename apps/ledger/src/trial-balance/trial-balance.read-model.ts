import { Injectable } from '@nestjs/common';
import type { AmountOf, LedgerAccountEvent, Posting, TrialBalanceLine } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import { defineEventReadModel } from '@ponte/nest';
import { changesFrom } from '@ponte/read-models';
import { ledgerAccount } from '../ledger-account/ledger-account.decider';
import { TRIAL_BALANCE_READER } from './trial-balance-reader';

export interface TrialBalanceSums {
  readonly house: readonly TrialBalanceLine[];
  readonly customers: readonly TrialBalanceLine[];
  /** The sums over all customers, by asset. */
  readonly customersTotal: readonly AmountOf[];
}

interface LineRow {
  readonly account: string;
  readonly asset: AssetId;
  readonly minor: bigint;
}

/** The sums of all accounts, which lag the log by a moment. */
@Injectable()
export class TrialBalance extends defineEventReadModel<LineRow>({
  table: 'ledger_trial_balance_lines',
  reader: TRIAL_BALANCE_READER,
  columns: { account: 'text', asset: 'text', minor: 'sum' },
  key: ['account', 'asset'],
  from: [changesFrom(ledgerAccount, (event) => ({ put: postingsOf(event).map(rowOf) }))],
}) {
  /** A single query, so that all sums are from the same moment. */
  async sums(): Promise<TrialBalanceSums> {
    const lines = (await this.select((rows) => rows.orderBy('account').orderBy('asset'))).map(lineOf);
    const customers = lines.filter(({ account }) => account.startsWith('customer:'));
    return {
      house: lines.filter(({ account }) => !account.startsWith('customer:')),
      customers,
      customersTotal: sumsOf(customers),
    };
  }
}

const postingsOf = ({ data }: LedgerAccountEvent): readonly Posting[] => ('postings' in data ? data.postings : []);

const rowOf = ({ account, asset, amount }: Posting): LineRow => ({
  account,
  asset,
  minor: Money.stored(asset, amount).minor,
});

const lineOf = ({ account, asset, minor }: LineRow): TrialBalanceLine => ({
  account,
  asset,
  amount: Money.of(asset, minor).toString(),
});

/** Sums the amounts per asset. */
export function sumsOf(amounts: readonly AmountOf[]): AmountOf[] {
  const sums = new Map<AssetId, Money>();
  for (const { asset, amount } of amounts)
    sums.set(asset, (sums.get(asset) ?? Money.zero(asset)).plus(Money.stored(asset, amount)));
  return [...sums].map(([asset, sum]) => ({ asset, amount: sum.toString() }));
}
