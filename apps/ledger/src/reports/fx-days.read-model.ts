import { Injectable } from '@nestjs/common';
import type { AssetId } from '@ponte/kernel';
import { defineEventReadModel } from '@ponte/nest';
import { changesFrom } from '@ponte/read-models';
import { ledgerAccount } from '../ledger-account/ledger-account.decider';
import { TRIAL_BALANCE_READER } from '../trial-balance/trial-balance.read-model';
import type { FxDay } from './fx-day.domain';
import { fxTradeOf } from './fx-day.domain';

interface FxDayRow {
  readonly day: string;
  readonly asset: AssetId;
  readonly trades: bigint;
  readonly tokens_sold: bigint;
  readonly brl_received: bigint;
  readonly tokens_bought: bigint;
  readonly brl_paid: bigint;
  readonly spread: bigint;
  readonly fees: bigint;
  readonly iof: bigint;
}

/** Trades with the treasury by day and token. */
@Injectable()
export class FxDays extends defineEventReadModel<FxDayRow>({
  table: 'ledger_fx_trades',
  reader: TRIAL_BALANCE_READER,
  columns: {
    day: 'text',
    asset: 'text',
    trades: 'sum',
    tokens_sold: 'sum',
    brl_received: 'sum',
    tokens_bought: 'sum',
    brl_paid: 'sum',
    spread: 'sum',
    fees: 'sum',
    iof: 'sum',
  },
  key: ['day', 'asset'],
  from: [
    changesFrom(ledgerAccount, ({ type, data }) => {
      const trade = type === 'ExchangePosted' ? fxTradeOf(data) : undefined;
      return trade && { put: rowOf(trade) };
    }),
  ],
}) {
  /** Every day up to and including `to`, oldest first. */
  async upTo(to: string): Promise<readonly FxDay[]> {
    const rows = await this.select((all) => all.where('day', '<=', to).orderBy('day').orderBy('asset'));
    return rows.map(fxDayOf);
  }
}

const rowOf = ({ trades, tokensSold, brlReceived, tokensBought, brlPaid, ...day }: FxDay): FxDayRow => ({
  ...day,
  trades: BigInt(trades),
  tokens_sold: tokensSold,
  brl_received: brlReceived,
  tokens_bought: tokensBought,
  brl_paid: brlPaid,
});

const fxDayOf = ({ trades, tokens_sold, brl_received, tokens_bought, brl_paid, ...day }: FxDayRow): FxDay => ({
  ...day,
  trades: Number(trades),
  tokensSold: tokens_sold,
  brlReceived: brl_received,
  tokensBought: tokens_bought,
  brlPaid: brl_paid,
});
