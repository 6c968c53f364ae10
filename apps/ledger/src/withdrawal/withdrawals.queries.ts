import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type {
  GetAnyWithdrawal,
  GetWithdrawal,
  ListAllWithdrawals,
  ListStartedWithdrawals,
  ListWithdrawalsTo,
  Page,
  WithdrawalRecord,
} from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { created } from './withdrawal.state';
import { recordOf } from './withdrawal.record';
import { WithdrawalReadModel } from './withdrawals.read-model';
import { Withdrawals } from './withdrawals.repository';

/** One withdrawal, or null. If an account is given, withdrawals of other accounts are treated as not existing. */
export class GetWithdrawalQuery extends RequestQuery<typeof GetWithdrawal | typeof GetAnyWithdrawal> {}

@QueryHandler(GetWithdrawalQuery)
export class GetWithdrawalHandler implements IQueryHandler<GetWithdrawalQuery> {
  constructor(private readonly withdrawals: Withdrawals) {}

  async execute({ payload }: GetWithdrawalQuery): Promise<WithdrawalRecord | null> {
    const known = created(await this.withdrawals.load(payload.withdrawalId));
    return known && (!('accountId' in payload) || known.terms.accountId === payload.accountId) ? recordOf(known) : null;
  }
}

/** Withdrawals, newest first; of every account if `accountId` is null. */
export class ListWithdrawalsQuery extends RequestQuery<typeof ListAllWithdrawals> {}

@QueryHandler(ListWithdrawalsQuery)
export class ListWithdrawalsHandler implements IQueryHandler<ListWithdrawalsQuery> {
  constructor(private readonly readModel: WithdrawalReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListWithdrawalsQuery): Promise<Page<WithdrawalRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}

/** Open token withdrawals of any account to an address. */
export class ListWithdrawalsToQuery extends RequestQuery<typeof ListWithdrawalsTo> {}

@QueryHandler(ListWithdrawalsToQuery)
export class ListWithdrawalsToHandler implements IQueryHandler<ListWithdrawalsToQuery> {
  constructor(private readonly readModel: WithdrawalReadModel) {}

  async execute({ payload }: ListWithdrawalsToQuery): Promise<ReplyOf<typeof ListWithdrawalsTo>> {
    return { items: await this.readModel.to(payload.address, payload.state, payload.limit) };
  }
}

/** Token withdrawals that were started by a time and have not ended. */
export class ListStartedWithdrawalsQuery extends RequestQuery<typeof ListStartedWithdrawals> {}

@QueryHandler(ListStartedWithdrawalsQuery)
export class ListStartedWithdrawalsHandler implements IQueryHandler<ListStartedWithdrawalsQuery> {
  constructor(private readonly readModel: WithdrawalReadModel) {}

  async execute({
    payload: { startedBefore, after, limit },
  }: ListStartedWithdrawalsQuery): Promise<ReplyOf<typeof ListStartedWithdrawals>> {
    return { withdrawals: await this.readModel.started(startedBefore, after, limit) };
  }
}
