import { Inject, Injectable } from '@nestjs/common';
import type { Chain } from '@ponte/kernel';
import { READ_MODELS } from '@ponte/nest';
import type { TimePosition } from '@ponte/operator';
import type { Kysely } from 'kysely';
import type { BlockId, Hex } from '../chain/chain.port';

interface Schema {
  deposit_cursors: { readonly chain: Chain; readonly block_number: number; readonly block_hash: string };
  deposit_rescans: { readonly chain: Chain; readonly since: string };
}

/**
 * The last final block up to which each chain was read for deposits. Losing a cursor costs only time: the chain is then
 * read again from its first wallet, and finds the same deposits.
 *
 * A second table has the chains that an operator had read again, until that is done. The cursor does not change: only
 * the nodes know which block has the requested time, and the scan starts at the earlier of the two.
 */
@Injectable()
export class DepositCursors {
  private readonly db: Kysely<Schema>;

  constructor(@Inject(READ_MODELS) readModels: Kysely<unknown>) {
    this.db = readModels as Kysely<Schema>;
  }

  async prepare(): Promise<void> {
    await this.db.schema
      .createTable('deposit_cursors')
      .ifNotExists()
      .addColumn('chain', 'text', (column) => column.primaryKey().notNull())
      .addColumn('block_number', 'bigint', (column) => column.notNull())
      .addColumn('block_hash', 'text', (column) => column.notNull())
      .execute();
    await this.db.schema
      .createTable('deposit_rescans')
      .ifNotExists()
      .addColumn('chain', 'text', (column) => column.primaryKey().notNull())
      .addColumn('since', 'text', (column) => column.notNull())
      .execute();
  }

  /** The cursor of the chain; null before the first page. */
  async of(chain: Chain): Promise<BlockId | null> {
    const row = await this.db.selectFrom('deposit_cursors').selectAll().where('chain', '=', chain).executeTakeFirst();
    return row ? { number: Number(row.block_number), hash: row.block_hash as Hex } : null;
  }

  async put(chain: Chain, { number, hash }: BlockId): Promise<void> {
    const row = { block_number: number, block_hash: hash };
    await this.db
      .insertInto('deposit_cursors')
      .values({ chain, ...row })
      .onConflict((conflict) => conflict.column('chain').doUpdateSet(row))
      .execute();
  }

  /** The time from which an operator had the chain read again; null when there is no such request. */
  async rescanOf(chain: Chain): Promise<string | null> {
    const row = await this.db
      .selectFrom('deposit_rescans')
      .select('since')
      .where('chain', '=', chain)
      .executeTakeFirst();
    return row?.since ?? null;
  }

  /** Removes the request to read the chain again from that time. A request for another time remains. */
  async endRescan(chain: Chain, since: string): Promise<void> {
    await this.db.deleteFrom('deposit_rescans').where('chain', '=', chain).where('since', '=', since).execute();
  }

  /** The position of one chain, which operators can see and set back. */
  positionOf(chain: Chain): TimePosition {
    return {
      shown: async () => {
        await this.prepare();
        const [cursor, since] = [await this.of(chain), await this.rescanOf(chain)];
        if (cursor === null) return undefined;
        return since === null ? `block ${cursor.number}` : `block ${cursor.number}, again from ${since}`;
      },
      setBack: async (since) => {
        await this.prepare();
        const before = await this.rescanOf(chain);
        const earlier = before !== null && before < since ? before : since;
        await this.db
          .insertInto('deposit_rescans')
          .values({ chain, since: earlier })
          .onConflict((conflict) => conflict.column('chain').doUpdateSet({ since: earlier }))
          .execute();
      },
    };
  }
}
