import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ListAccountHolds } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

/** Reads the account's stream, so it has every hold that was placed before the request. */
export class ListAccountHoldsQuery extends RequestQuery<typeof ListAccountHolds> {}

@QueryHandler(ListAccountHoldsQuery)
export class ListAccountHoldsHandler implements IQueryHandler<ListAccountHoldsQuery> {
  constructor(private readonly ledgerAccounts: LedgerAccounts) {}

  async execute({ payload: { accountId, asset } }: ListAccountHoldsQuery): Promise<ReplyOf<typeof ListAccountHolds>> {
    const { holds } = await this.ledgerAccounts.load(accountId);
    const open = holds.all().flatMap(([, hold]) => (hold.asset === asset ? [hold] : []));
    return { holds: open.sort((a, b) => Date.parse(a.placedAt) - Date.parse(b.placedAt)) };
  }
}
