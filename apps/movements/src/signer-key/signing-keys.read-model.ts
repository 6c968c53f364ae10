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

/** In place of a sender: the log was read from its beginning, so the rows are complete. */
const COMPLETE = '';

/** Addresses that have signed for a chain, including those of keys that are no longer used. */
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
  /** All addresses of a chain; undefined while the table may lack some because it does not cover the whole log. */
  async of(chain: Chain): Promise<ReadonlySet<Hex> | undefined> {
    const { senders, isComplete } = await this.read(chain);
    return isComplete ? senders : undefined;
  }

  /** The addresses of a chain that the table has, even while it may lack some. */
  async known(chain: Chain): Promise<ReadonlySet<Hex>> {
    return (await this.read(chain)).senders;
  }

  private async read(chain: Chain) {
    const rows = await this.select((all) => all.where('chain', '=', chain));
    const senders = new Set(rows.map(({ sender }) => sender));
    const isComplete = senders.delete(COMPLETE);
    return { senders: senders as ReadonlySet<Hex>, isComplete };
  }

  /** Records that these are all signers in the log so far. Later ones are added by their events. */
  async complete(chain: Chain, senders: Iterable<Hex>): Promise<void> {
    await this.table.write([{ put: [...senders, COMPLETE].map((sender) => ({ chain, sender })) }]);
  }
}
