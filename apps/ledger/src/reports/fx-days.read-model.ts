import type { AssetId } from '@ponte/kernel';
import type { Kysely, Transaction } from 'kysely';
import type { FxDay } from './fx-day';
import { addedUp } from './fx-day';

export const FX_DAYS_TABLE = 'ledger_fx_days';

/** Minor units as text: they outgrow what a column of integers holds. */
export interface StoredFxDay {
  day: string;
  asset: AssetId;
  trades: number;
  tokens_sold: string;
  brl_received: string;
  tokens_bought: string;
  brl_paid: string;
  spread: string;
  fees: string;
  iof: string;
}

interface Schema {
  ledger_fx_days: StoredFxDay;
}

const AMOUNTS = ['tokens_sold', 'brl_received', 'tokens_bought', 'brl_paid', 'spread', 'fees', 'iof'] as const;

/** Trades with the treasury by day and token. Written with the books, in one transaction, so that none counts twice. */
export async function prepareFxDays(views: Kysely<unknown>): Promise<void> {
  let table = views.schema
    .createTable(FX_DAYS_TABLE)
    .ifNotExists()
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('asset', 'text', (column) => column.notNull())
    .addColumn('trades', 'bigint', (column) => column.notNull());
  for (const name of AMOUNTS) table = table.addColumn(name, 'text', (column) => column.notNull());
  await table.addPrimaryKeyConstraint('ledger_fx_days_key', ['day', 'asset']).execute();
}

export async function writeFxDays(transaction: Transaction<unknown>, days: readonly FxDay[]): Promise<void> {
  const trx = transaction as unknown as Transaction<Schema>;
  for (const day of days) {
    const known = await trx
      .selectFrom('ledger_fx_days')
      .selectAll()
      .where('day', '=', day.day)
      .where('asset', '=', day.asset)
      .executeTakeFirst();
    const row = storedOf(known ? addedUp(fxDayOf(known), day) : day);
    const write = trx.insertInto('ledger_fx_days').values(row);
    await write.onConflict((conflict) => conflict.columns(['day', 'asset']).doUpdateSet(row)).execute();
  }
}

/** Every day up to and with `to`, oldest first. */
export async function readFxDays(views: Kysely<unknown>, to: string): Promise<readonly FxDay[]> {
  const db = views as unknown as Kysely<Schema>;
  const rows = db.selectFrom('ledger_fx_days').selectAll().where('day', '<=', to).orderBy('day').orderBy('asset');
  return (await rows.execute()).map(fxDayOf);
}

const storedOf = (day: FxDay): StoredFxDay => ({
  day: day.day,
  asset: day.asset,
  trades: day.trades,
  tokens_sold: String(day.tokensSold),
  brl_received: String(day.brlReceived),
  tokens_bought: String(day.tokensBought),
  brl_paid: String(day.brlPaid),
  spread: String(day.spread),
  fees: String(day.fees),
  iof: String(day.iof),
});

const fxDayOf = (row: StoredFxDay): FxDay => ({
  day: row.day,
  asset: row.asset,
  trades: Number(row.trades),
  tokensSold: BigInt(row.tokens_sold),
  brlReceived: BigInt(row.brl_received),
  tokensBought: BigInt(row.tokens_bought),
  brlPaid: BigInt(row.brl_paid),
  spread: BigInt(row.spread),
  fees: BigInt(row.fees),
  iof: BigInt(row.iof),
});
