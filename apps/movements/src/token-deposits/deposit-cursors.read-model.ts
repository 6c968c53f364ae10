import { Inject, Injectable } from '@nestjs/common';
import type { Chain } from '@ponte/kernel';
import { VIEWS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import type { BlockId, Hex } from '../chain/chain.port';

interface Schema {
  deposit_cursors: { readonly chain: Chain; readonly block_number: number; readonly block_hash: string };
}

/**
 * Up to which final block each chain was read for deposits. A cursor that is lost costs time and nothing else: the
 * chain is then read again from its
 * first wallet on, and what was a deposit before is one still.
 */
@Injectable()
export class DepositCursors {
  private readonly db: Kysely<Schema>;

  constructor(@Inject(VIEWS) views: Kysely<unknown>) {
    this.db = views as Kysely<Schema>;
  }

  async prepare(): Promise<void> {
    await this.db.schema
      .createTable('deposit_cursors')
      .ifNotExists()
      .addColumn('chain', 'text', (column) => column.primaryKey().notNull())
      .addColumn('block_number', 'bigint', (column) => column.notNull())
      .addColumn('block_hash', 'text', (column) => column.notNull())
      .execute();
  }

  /** Null before the first page of the chain. */
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
}
