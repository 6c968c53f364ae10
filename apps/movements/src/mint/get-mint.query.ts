import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { MintRecord } from '@ponte/contracts';
import { PayloadQuery } from '@ponte/nest';
import { transactionIdOf } from '../transactions/chain-transaction.state';
import { mintRecord } from './mint.domain';
import { ChainTransactions } from '../transactions/chain-transactions';

export class GetMintQuery extends PayloadQuery<{ readonly mintId: string }, MintRecord | null> {}

/** Read from the stream of its transaction, which is short: no one lists mints. */
@QueryHandler(GetMintQuery)
export class GetMintHandler implements IQueryHandler<GetMintQuery> {
  constructor(private readonly transactions: ChainTransactions) {}

  async execute({ payload: { mintId } }: GetMintQuery): Promise<MintRecord | null> {
    return mintRecord(await this.transactions.load(transactionIdOf({ kind: 'mint', id: mintId })));
  }
}
