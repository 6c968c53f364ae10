import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ListAccountHolds } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { openHoldsOf } from './hold-source.domain';

/** Reads the account's stream, so it has every hold that was placed before the request. */
export class ListAccountHoldsQuery extends RequestQuery<typeof ListAccountHolds> {}

@QueryHandler(ListAccountHoldsQuery)
export class ListAccountHoldsHandler implements IQueryHandler<ListAccountHoldsQuery> {
  constructor(private readonly ledgerAccounts: LedgerAccounts) {}

  async execute({ payload: { accountId, asset } }: ListAccountHoldsQuery): Promise<ReplyOf<typeof ListAccountHolds>> {
    return { holds: openHoldsOf(await this.ledgerAccounts.load(accountId), asset) };
  }
}
