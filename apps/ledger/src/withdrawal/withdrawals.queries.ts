import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { ListAllWithdrawals, Page, WithdrawalRecord } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { created } from './withdrawal.state';
import { recordOf } from './withdrawal.record';
import { WithdrawalReadModel } from './withdrawals.read-model';
import { Withdrawals } from './withdrawals.repository';

/** One withdrawal; of any account when `accountId` is null. Null if it does not exist or belongs to another account. */
export class GetWithdrawalQuery extends Query<WithdrawalRecord | null> {
  constructor(
    readonly withdrawalId: string,
    readonly accountId: string | null,
  ) {
    super();
  }
}

@QueryHandler(GetWithdrawalQuery)
export class GetWithdrawalHandler implements IQueryHandler<GetWithdrawalQuery> {
  constructor(private readonly withdrawals: Withdrawals) {}

  async execute({ withdrawalId, accountId }: GetWithdrawalQuery): Promise<WithdrawalRecord | null> {
    const known = created(await this.withdrawals.load(withdrawalId));
    return known && (accountId === null || known.terms.accountId === accountId) ? recordOf(known) : null;
  }
}

/** Withdrawals, newest first; of every account when `accountId` is null. */
export class ListWithdrawalsQuery extends Query<Page<WithdrawalRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListAllWithdrawals>) {
    super();
  }
}

@QueryHandler(ListWithdrawalsQuery)
export class ListWithdrawalsHandler implements IQueryHandler<ListWithdrawalsQuery> {
  constructor(private readonly readModel: WithdrawalReadModel) {}

  execute({ payload: { accountId, filters, page } }: ListWithdrawalsQuery): Promise<Page<WithdrawalRecord>> {
    return this.readModel.page(accountId, filters, page);
  }
}
