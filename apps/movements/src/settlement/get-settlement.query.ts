import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { GetSettlement } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { pick } from '@ponte/kernel';
import { RequestQuery } from '@ponte/nest';
import { TransactionEnds } from '../token-movement/transaction-ends.service';
import { transactionIdOf, transferStateOf } from '../transactions/chain-transaction.state';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import { purposeKindOf } from './request-settlement.command';

export class GetSettlementQuery extends RequestQuery<typeof GetSettlement> {}

/** Reads the stream of the settlement's transaction. */
@QueryHandler(GetSettlementQuery)
export class GetSettlementHandler implements IQueryHandler<GetSettlementQuery> {
  constructor(
    private readonly transactions: ChainTransactions,
    private readonly ends: TransactionEnds,
  ) {}

  async execute({ payload: { settlementId, kind } }: GetSettlementQuery): Promise<ReplyOf<typeof GetSettlement>> {
    const transactionId = transactionIdOf({ kind: purposeKindOf(kind), id: settlementId });
    const state = await this.transactions.load(transactionId);
    if (state.status === 'absent') return null;
    const found = { settlementId, state: transferStateOf(state) };
    switch (found.state) {
      case 'failed':
        return { ...found, givenUp: state.status === 'given-up' ? state.reason : null };
      case 'completed': {
        const end = await this.ends.find(transactionId);
        if (end?.type !== 'TransactionConfirmed') return found;
        return { ...found, confirmed: pick(end.data, 'txHash', 'minedAt', 'confirmedAt') };
      }
      case 'created':
      case 'pending':
        return found;
    }
  }
}
