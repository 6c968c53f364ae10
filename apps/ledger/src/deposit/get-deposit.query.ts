import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { DepositRecord } from '@ponte/contracts';
import { DepositReadModel } from './deposits.read-model';

/** One deposit of an account. Null if it does not exist or belongs to another account. */
export class GetDepositQuery extends Query<DepositRecord | null> {
  constructor(
    readonly accountId: string,
    readonly depositId: string,
  ) {
    super();
  }
}

@QueryHandler(GetDepositQuery)
export class GetDepositHandler implements IQueryHandler<GetDepositQuery> {
  constructor(private readonly readModel: DepositReadModel) {}

  async execute({ accountId, depositId }: GetDepositQuery): Promise<DepositRecord | null> {
    const record = await this.readModel.get(depositId);
    return record?.accountId === accountId ? record : null;
  }
}
