import { Injectable } from '@nestjs/common';
import type { ChainTransactionEvent } from '@ponte/contracts';
import type { Chain } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import { defineEventReadModel } from '@ponte/nest';
import { changesFrom } from '@ponte/read-models';
import type { Hex } from '../chain/chain.port';
import { chainTransaction } from '../transactions/chain-transaction.decider';
import { TRANSACTIONS_READER } from '../transactions/pending-transactions.read-model';

interface SigningKeyRow {
  readonly chain: Chain;
  readonly sender: string;
}

/** Instead of a sender: the log was read from its beginning, so that the rows are all there are. */
const COMPLETE = '';

/** Addresses that have signed for a chain, those of keys that are used no more among them. */
@Injectable()
export class SigningKeys extends defineEventReadModel<SigningKeyRow>({
  table: 'signing_keys',
  reader: TRANSACTIONS_READER,
  columns: { chain: 'text', sender: 'text' },
  key: ['chain', 'sender'],
  from: [
    changesFrom(chainTransaction, ({ type, data }: ChainTransactionEvent) =>
      type === 'TransactionSigned' ? { put: { chain: data.chain, sender: data.from } } : undefined,
    ),
  ],
  complete: CHAINS.map((chain) => ({ chain, sender: COMPLETE })),
}) {
  /** All of a chain's; undefined while the table may lack some, because it is younger than the log. */
  async of(chain: Chain): Promise<ReadonlySet<Hex> | undefined> {
    const rows = await this.select((all) => all.where('chain', '=', chain));
    const senders = new Set(rows.map(({ sender }) => sender));
    return senders.delete(COMPLETE) ? (senders as ReadonlySet<Hex>) : undefined;
  }

  /** These are all that the log has up to now; keys that sign later come with their events. */
  async complete(chain: Chain, senders: Iterable<Hex>): Promise<void> {
    await this.table.write([{ put: [...senders, COMPLETE].map((sender) => ({ chain, sender })) }]);
  }
}
