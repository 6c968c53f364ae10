import type { OnModuleInit } from '@nestjs/common';
import type { TrialBalanceLine, Hold, HoldPlace, LedgerAccountEvent, Timestamp } from '@ponte/contracts';
import type { EventStore, LogSlice, Position, Recorded } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import { rowRemover, rowWriter } from '@ponte/read-models';
import type { Kysely, Transaction } from 'kysely';
import { sql } from 'kysely';
import type { TrialBalance, TrialBalanceSums, ForgottenHold } from './trial-balance.port';
import { prepareFxDays, writeFxDays } from '../reports/fx-days.read-model';
import { SliceEffect } from './slice-effect';

interface Schema {
  /** Minor units as text: they outgrow what a column of integers holds. */
  ledger_trial_balance: { account: string; asset: AssetId; minor: string };
  ledger_open_holds: {
    hold_id: string;
    account_id: string;
    owner_kind: Hold['owner']['kind'];
    owner_id: string;
    asset: AssetId;
    amount: string;
    placed_at: string;
  };
  /** One row: what of the log is in the two tables. Written with them, so that nothing is added up twice. */
  ledger_trial_balance_position: { name: string; position: string; fence: number };
}

const NAME = 'books';
const HOLD_COLUMNS = [
  'hold_id',
  'account_id',
  'owner_kind',
  'owner_id',
  'asset',
  'amount',
  'placed_at',
] as const satisfies readonly (keyof Schema['ledger_open_holds'])[];

/** Books and open holds in the views' database. */
export class KyselyTrialBalance implements TrialBalance, OnModuleInit {
  private readonly db: Kysely<Schema>;
  private readonly write: ReturnType<typeof writersOf>;
  /** The place that this process wrote last. */
  private at: Position | undefined;

  constructor(
    views: Kysely<unknown>,
    private readonly store: Pick<EventStore, 'comparePositions'>,
  ) {
    this.db = views as unknown as Kysely<Schema>;
    this.write = writersOf(views);
  }

  async onModuleInit(): Promise<void> {
    const { schema } = this.db;
    await schema
      .createTable('ledger_trial_balance')
      .ifNotExists()
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('asset', 'text', (column) => column.notNull())
      .addColumn('minor', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('ledger_trial_balance_key', ['account', 'asset'])
      .execute();
    let holds = schema
      .createTable('ledger_open_holds')
      .ifNotExists()
      .addColumn('hold_id', 'text', (column) => column.primaryKey().notNull());
    for (const name of HOLD_COLUMNS.slice(1)) holds = holds.addColumn(name, 'text', (column) => column.notNull());
    await holds.execute();
    await schema
      .createIndex('ledger_open_holds_by_age')
      .ifNotExists()
      .on('ledger_open_holds')
      .columns(['owner_kind', 'placed_at'])
      .execute();
    await schema
      .createTable('ledger_trial_balance_position')
      .ifNotExists()
      .addColumn('name', 'text', (column) => column.primaryKey().notNull())
      .addColumn('position', 'text', (column) => column.notNull())
      .addColumn('fence', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
    await prepareFxDays(this.db as unknown as Kysely<unknown>);
    // Tables of an earlier version have no fence.
    await this.db
      .selectFrom('ledger_trial_balance_position')
      .select('fence')
      .limit(1)
      .execute()
      .catch(() =>
        schema
          .alterTable('ledger_trial_balance_position')
          .addColumn('fence', 'bigint', (column) => column.notNull().defaultTo(0))
          .execute(),
      );
  }

  async apply({ events, position }: LogSlice, fence: number): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      const kept = await lockedPosition(trx, fence);
      const effect = new SliceEffect();
      for (const event of events) {
        if (kept === undefined || this.store.comparePositions(event.position, kept) > 0)
          effect.add(event as Recorded<LedgerAccountEvent>);
      }
      await this.write.holds(trx, effect);
      await this.write.lines(trx, effect);
      await writeFxDays(trx as unknown as Transaction<unknown>, [...effect.trades.values()]);
      if (kept !== undefined && this.store.comparePositions(position, kept) <= 0) return;
      await trx.updateTable('ledger_trial_balance_position').set({ position }).where('name', '=', NAME).execute();
    });
    this.at = position;
  }

  async moveOn(position: Position, fence: number): Promise<boolean> {
    if (position === this.at) return true;
    const kept = await positionIn(this.db);
    if (kept === undefined)
      await this.db
        .insertInto('ledger_trial_balance_position')
        .values({ name: NAME, position, fence })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .execute();
    // Only from where it was seen to stand: who lost the lease meanwhile must not put it back, or what lies between
    // would be added up twice.
    else if (this.store.comparePositions(position, kept) > 0)
      await this.db
        .updateTable('ledger_trial_balance_position')
        .set({ position })
        .where('name', '=', NAME)
        .where('position', '=', kept)
        .where('fence', '<=', fence)
        .execute();
    this.at = position;
    return true;
  }

  async openHolds(
    ownerKind: Hold['owner']['kind'],
    placedBefore: Timestamp,
    limit: number,
    after: HoldPlace | null = null,
  ): Promise<readonly ForgottenHold[]> {
    const all = this.db
      .selectFrom('ledger_open_holds')
      .selectAll()
      .where('owner_kind', '=', ownerKind)
      .where('placed_at', '<', placedBefore);
    const rest =
      after === null
        ? all
        : all.where(({ or, and, eb }) =>
            or([
              eb('placed_at', '>', after.placedAt),
              and([eb('placed_at', '=', after.placedAt), eb('hold_id', '>', after.holdId)]),
            ]),
          );
    const rows = await rest.orderBy('placed_at').orderBy('hold_id').limit(limit).execute();
    return rows.map((row) => ({
      holdId: row.hold_id,
      owner: { kind: row.owner_kind, id: row.owner_id },
      asset: row.asset,
      amount: row.amount,
      accountId: row.account_id,
      placedAt: row.placed_at,
    }));
  }

  async sums(): Promise<TrialBalanceSums> {
    const lines = (
      await this.db.selectFrom('ledger_trial_balance').selectAll().orderBy('account').orderBy('asset').execute()
    ).map(lineOf);
    const customers = lines.filter(({ account }) => account.startsWith('customer:'));
    const totals = new Map<AssetId, Money>();
    for (const { asset, amount } of customers)
      totals.set(asset, (totals.get(asset) ?? Money.zero(asset)).plus(Money.stored(asset, amount)));
    return {
      house: lines.filter(({ account }) => !account.startsWith('customer:')),
      customers,
      customersTotal: [...totals].map(([asset, total]) => ({ asset, amount: total.toString() })),
    };
  }

  position(): Promise<Position | undefined> {
    return positionIn(this.db);
  }
}

/** How far the books of this database have come. */
export const trialBalancePosition = (views: Kysely<unknown>): Promise<Position | undefined> =>
  positionIn(views as unknown as Kysely<Schema>);

/**
 * The place of the books, locked until the transaction ends. Throws when a later holder of the lease has written: what
 * this one adds would be added up twice.
 */
async function lockedPosition(trx: Transaction<Schema>, fence: number): Promise<Position | undefined> {
  const row = await trx
    .insertInto('ledger_trial_balance_position')
    .values({ name: NAME, position: '', fence })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet({ fence }).where('ledger_trial_balance_position.fence', '<=', fence),
    )
    .returning('position')
    .executeTakeFirst();
  if (row === undefined) throw new Error('a later holder of the lease keeps the trial balance');
  return row.position === '' ? undefined : row.position;
}

async function positionIn(db: Kysely<Schema>): Promise<Position | undefined> {
  return (
    (
      await db
        .selectFrom('ledger_trial_balance_position')
        .select('position')
        .where('name', '=', NAME)
        .executeTakeFirst()
    )?.position || undefined
  );
}

const lineOf = ({ account, asset, minor }: Schema['ledger_trial_balance']): TrialBalanceLine => ({
  account,
  asset,
  amount: Money.of(asset, BigInt(minor)).toString(),
});

/** What a slice does to the tables, by statements that are built once. */
function writersOf(views: Kysely<unknown>) {
  const writeOpen = rowWriter(views, 'ledger_open_holds', HOLD_COLUMNS, sql<boolean>`false`, 'hold_id');
  const removeOpen = rowRemover(views, 'ledger_open_holds', 'hold_id');
  const writeBook = rowWriter(views, 'ledger_trial_balance', ['account', 'asset', 'minor'], sql<boolean>`true`, [
    'account',
    'asset',
  ]);
  return {
    async holds(trx: Transaction<Schema>, { placed, ended }: SliceEffect): Promise<void> {
      await writeOpen(
        [...placed.values()].map(({ holdId, accountId, owner, asset, amount, placedAt }) => [
          holdId,
          accountId,
          owner.kind,
          owner.id,
          asset,
          amount,
          placedAt,
        ]),
        trx,
      );
      await removeOpen([...ended], trx);
    },
    async lines(trx: Transaction<Schema>, effect: SliceEffect): Promise<void> {
      const changes = effect.lines();
      if (changes.length === 0) return;
      const known = await minorsOf(trx, [...new Set(changes.map(({ account }) => account))]);
      await writeBook(
        changes.map(({ account, asset, minor }) => [
          account,
          asset,
          String((known.get(`${account} ${asset}`) ?? 0n) + minor),
        ]),
        trx,
      );
    },
  };
}

async function minorsOf(trx: Transaction<Schema>, accounts: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const rows = await trx
    .selectFrom('ledger_trial_balance')
    .selectAll()
    .where('account', 'in', filledUp(accounts))
    .execute();
  return new Map(rows.map(({ account, asset, minor }) => [`${account} ${asset}`, BigInt(minor)]));
}

/**
 * To the next power of two by naming the last again: else there is another statement to be prepared for each number of
 * accounts.
 */
const filledUp = (accounts: readonly string[]): string[] =>
  Array.from(
    { length: 2 ** Math.ceil(Math.log2(accounts.length)) },
    (_, at) => accounts[Math.min(at, accounts.length - 1)] as string,
  );
