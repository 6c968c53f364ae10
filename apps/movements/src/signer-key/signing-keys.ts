import { Inject, Injectable } from '@nestjs/common';
import { TransactionSigned } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { upcaster } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { VIEWS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import type { Hex } from '../chain/chain.port';

interface Schema {
  signing_keys: { readonly chain: Chain; readonly sender: string };
}

/** Instead of a sender: the log was read from its beginning, so that the rows are all there are. */
const COMPLETE = '';

const current = upcaster([TransactionSigned]);

/**
 * Addresses that have signed for a chain, those of keys that are used no more among them. Written by the projector of
 * the transactions.
 */
@Injectable()
export class SigningKeys {
  private readonly db: Kysely<Schema>;
  /** What this process has written: a key signs many times. */
  private readonly noted = new Set<string>();

  constructor(@Inject(VIEWS) views: Kysely<unknown>) {
    this.db = views as Kysely<Schema>;
  }

  async prepare(): Promise<void> {
    await this.db.schema
      .createTable('signing_keys')
      .ifNotExists()
      .addColumn('chain', 'text', (column) => column.notNull())
      .addColumn('sender', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('signing_keys_key', ['chain', 'sender'])
      .execute();
  }

  /** Follows a run of the log. */
  async apply(events: readonly Recorded[]): Promise<void> {
    for (const recorded of events) {
      if (recorded.type !== TransactionSigned.type) continue;
      const { chain, from } = current<TransactionSigned>(recorded).data;
      if (!this.noted.has(nameOf(chain, from))) await this.note(chain, from);
    }
  }

  /** All of a chain's; undefined while the table may lack some, because it is younger than the log. */
  async of(chain: Chain): Promise<ReadonlySet<Hex> | undefined> {
    const rows = await this.db.selectFrom('signing_keys').select('sender').where('chain', '=', chain).execute();
    const senders = new Set(rows.map(({ sender }) => sender));
    return senders.delete(COMPLETE) ? (senders as ReadonlySet<Hex>) : undefined;
  }

  /** These are all that the log has up to now; keys that sign later arrive through {@link apply}. */
  async complete(chain: Chain, senders: Iterable<Hex>): Promise<void> {
    for (const sender of senders) await this.note(chain, sender);
    await this.note(chain, COMPLETE);
  }

  private async note(chain: Chain, sender: string): Promise<void> {
    await this.db
      .insertInto('signing_keys')
      .values({ chain, sender })
      .onConflict((conflict) => conflict.columns(['chain', 'sender']).doNothing())
      .execute();
    this.noted.add(nameOf(chain, sender));
  }
}

const nameOf = (chain: Chain, sender: string): string => `${chain} ${sender}`;
