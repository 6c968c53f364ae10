import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { MintRecord } from '@ponte/contracts';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import { mintRecord } from './mint.domain';
import { ChainTransactions } from '../transactions/chain-transactions';

export class GetMintQuery extends Query<MintRecord | null> {
  constructor(readonly mintId: string) {
    super();
  }
}

/** Read from the stream of its transaction, which is short: no one lists mints. */
@QueryHandler(GetMintQuery)
export class GetMintHandler implements IQueryHandler<GetMintQuery> {
  constructor(private readonly transactions: ChainTransactions) {}

  async execute({ mintId }: GetMintQuery): Promise<MintRecord | null> {
    return mintRecord(await this.transactions.load(transactionIdOf({ kind: 'mint', id: mintId })));
  }
}
