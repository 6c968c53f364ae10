import { Inject, Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import { READ_MODELS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Hex } from '../chain/block.port';

/**
 * `new`: its balance was not read yet. `searching`: it held tokens, and earlier blocks are searched for their
 * transfers.
 */
type CheckState = 'new' | 'searching' | 'done';

interface Schema {
  early_deposit_checks: {
    readonly wallet_id: string;
    readonly created_at: Timestamp;
    readonly chain: Chain;
    readonly address: Hex;
    readonly state: CheckState;
    readonly next_block: number | null;
    readonly units: string | null;
  };
}

/** A wallet that may have received tokens before it existed. */
interface NewWallet {
  readonly walletId: string;
  readonly createdAt: Timestamp;
  readonly chain: Chain;
  readonly address: Hex;
}

/** A wallet whose balance was not read yet. */
interface UnreadWallet extends NewWallet {
  /** The last block that the scan reads without this wallet; null when that may be any block. */
  readonly lastUnscanned: number | null;
}

/** A wallet whose earlier blocks are searched, from the newest to the oldest. */
export interface SearchedWallet {
  readonly walletId: string;
  readonly address: Hex;
  /** The last block that was not searched yet. */
  readonly next: number;
  /** Units whose transfers were not found yet; null when all blocks must be searched. */
  readonly missing: bigint | null;
}

/** Wallets per request to a node. */
const AT_ONCE = 100;

/**
 * Which wallets were checked for tokens that arrived before the wallet existed. Losing this table together with the
 * cursor of the scan costs only time: the chain is then read again from its first wallet, and only the blocks below are
 * searched.
 */
@Injectable()
export class EarlyDepositChecks {
  private readonly db: Kysely<Schema>;

  constructor(@Inject(READ_MODELS) readModels: Kysely<unknown>) {
    this.db = readModels as Kysely<Schema>;
  }

  async prepare(): Promise<void> {
    await this.db.schema
      .createTable('early_deposit_checks')
      .ifNotExists()
      .addColumn('wallet_id', 'text', (column) => column.primaryKey().notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addColumn('chain', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('next_block', 'bigint')
      .addColumn('units', 'text')
      .execute();
    await this.db.schema
      .createIndex('early_deposit_checks_by_state')
      .ifNotExists()
      .on('early_deposit_checks')
      .columns(['chain', 'state'])
      .execute();
  }

  /** A wallet is checked once, and once more if it is created again after a restore of the log. */
  async add({ walletId, createdAt, chain, address }: NewWallet): Promise<void> {
    const row = { created_at: createdAt, chain, address, state: 'new' as const, next_block: null, units: null };
    await this.db
      .insertInto('early_deposit_checks')
      .values({ wallet_id: walletId, ...row })
      .onConflict((conflict) =>
        conflict.column('wallet_id').doUpdateSet(row).where('early_deposit_checks.created_at', '<>', createdAt),
      )
      .execute();
  }

  /**
   * Notes that the scan of the chain is about to read every block from `first` on. It must know all wallets in the list
   * already: of the blocks, they have missed only those below, and only these are searched for them.
   */
  async scannedFrom(chain: Chain, first: number): Promise<void> {
    const next = sql`cast(${first - 1} as bigint)`;
    await sql`
      INSERT INTO early_deposit_checks (wallet_id, created_at, chain, address, state, next_block)
      SELECT id, created_at, chain, address, 'new', ${next} FROM wallets WHERE chain = ${chain}
      ON CONFLICT (wallet_id) DO UPDATE SET next_block = ${next} WHERE early_deposit_checks.state = 'new'
    `.execute(this.db);
  }

  /** Whether wallets of the chain were not checked yet. */
  async areOutstanding(chain: Chain): Promise<boolean> {
    const first = await this.db
      .selectFrom('early_deposit_checks')
      .select('wallet_id')
      .where('chain', '=', chain)
      .where('state', 'in', ['new', 'searching'])
      .limit(1)
      .executeTakeFirst();
    return first !== undefined;
  }

  /** Some wallets of the chain whose balance was not read yet, newest first. */
  async unread(chain: Chain): Promise<readonly UnreadWallet[]> {
    const rows = await this.inState(chain, 'new').orderBy('created_at', 'desc').execute();
    return rows.map(({ wallet_id: walletId, created_at: createdAt, address, next_block }) => {
      return { walletId, createdAt, chain, address, lastUnscanned: next_block === null ? null : Number(next_block) };
    });
  }

  /**
   * Some wallets of the chain that are searched next, all from the same block. `others` is the block from which the
   * next of the others are searched; -1 without others. All are searched together from there on.
   */
  async searched(chain: Chain): Promise<{ readonly wallets: readonly SearchedWallet[]; readonly others: number }> {
    const rows = await this.inState(chain, 'searching').orderBy('next_block', 'desc').execute();
    const wallets = rows.map(({ wallet_id: walletId, address, next_block, units }): SearchedWallet => {
      return { walletId, address, next: Number(next_block), missing: units === null ? null : BigInt(units) };
    });
    const isFirst = ({ next }: SearchedWallet) => next === wallets[0]?.next;
    return { wallets: wallets.filter(isFirst), others: wallets.find((one) => !isFirst(one))?.next ?? -1 };
  }

  /** Stores how far these wallets were searched. */
  async search(wallets: readonly Pick<SearchedWallet, 'walletId' | 'next' | 'missing'>[]): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      for (const { walletId, next, missing } of wallets)
        await trx
          .updateTable('early_deposit_checks')
          .set({ state: 'searching', next_block: next, units: missing?.toString() ?? null })
          .where('wallet_id', '=', walletId)
          .execute();
    });
  }

  async finish(walletIds: readonly string[]): Promise<void> {
    if (walletIds.length === 0) return;
    await this.db
      .updateTable('early_deposit_checks')
      .set({ state: 'done', next_block: null, units: null })
      .where('wallet_id', 'in', walletIds)
      .execute();
  }

  private inState(chain: Chain, state: CheckState) {
    return this.db
      .selectFrom('early_deposit_checks')
      .selectAll()
      .where('chain', '=', chain)
      .where('state', '=', state)
      .limit(AT_ONCE);
  }
}
