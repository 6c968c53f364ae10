import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type {
  DepositRecord,
  GetAnyDeposit,
  GetDeposit,
  GetUncreditedTokens,
  ListAllDeposits,
  Page,
} from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { depositRecord } from './deposit.record';
import { DepositReadModel } from './deposits.read-model';
import { Deposits } from './deposits.repository';

/** Deposits of one account, or of all accounts if `accountId` is null, newest first. */
export class ListDepositsQuery extends RequestQuery<typeof ListAllDeposits> {}

@QueryHandler(ListDepositsQuery)
export class ListDepositsHandler implements IQueryHandler<ListDepositsQuery> {
  constructor(private readonly readModel: DepositReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListDepositsQuery): Promise<Page<DepositRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}

/**
 * One deposit, or null. If an account is given, deposits of other accounts are treated as not existing. It is read from
 * its stream, because orders decides with it whether the bank took a payment back, and a row may be missing or old.
 */
export class GetDepositQuery extends RequestQuery<typeof GetDeposit | typeof GetAnyDeposit> {}

@QueryHandler(GetDepositQuery)
export class GetDepositHandler implements IQueryHandler<GetDepositQuery> {
  constructor(private readonly deposits: Deposits) {}

  async execute({ payload }: GetDepositQuery): Promise<DepositRecord | null> {
    const state = await this.deposits.load(payload.depositId);
    const record = state.status === 'none' ? null : depositRecord(state);
    return record && (!('accountId' in payload) || record.accountId === payload.accountId) ? record : null;
  }
}

/** Amounts by asset of tokens from outside that are not credited, and of those that never will be. */
export class GetUncreditedTokensQuery extends RequestQuery<typeof GetUncreditedTokens> {}

@QueryHandler(GetUncreditedTokensQuery)
export class GetUncreditedTokensHandler implements IQueryHandler<GetUncreditedTokensQuery> {
  constructor(private readonly readModel: DepositReadModel) {}

  async execute(): Promise<ReplyOf<typeof GetUncreditedTokens>> {
    return this.readModel.uncreditedTokens();
  }
}
