import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { GetSettlement } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { transactionIdOf, transferStateOf } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import { purposeKindOf } from './request-settlement.command';

export class GetSettlementQuery extends RequestQuery<typeof GetSettlement> {}

/** Reads the stream of the settlement's transaction. */
@QueryHandler(GetSettlementQuery)
export class GetSettlementHandler implements IQueryHandler<GetSettlementQuery> {
  constructor(private readonly transactions: ChainTransactions) {}

  async execute({ payload: { settlementId, kind } }: GetSettlementQuery): Promise<ReplyOf<typeof GetSettlement>> {
    const state = await this.transactions.load(transactionIdOf({ kind: purposeKindOf(kind), id: settlementId }));
    if (state.status === 'absent') return null;
    const found = { settlementId, state: transferStateOf(state) };
    if (found.state !== 'failed') return found;
    return { ...found, givenUp: state.status === 'given-up' ? state.reason : null };
  }
}
