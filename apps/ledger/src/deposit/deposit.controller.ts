import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { GetDeposit, GetFundingCode, ListDeposits } from '@ponte/contracts';
import type { PayloadOf, ReplyOf } from '@ponte/event-sourcing';
import { GetDepositQuery } from './get-deposit.query';
import { GetFundingCodeQuery } from './get-funding-code.query';
import { ListDepositsQuery } from './list-deposits.query';

/** Deposits, and the code that funds an account. */
@Controller()
export class DepositMessages {
  constructor(private readonly queries: QueryBus) {}

  @MessagePattern(ListDeposits.pattern)
  listDeposits(@Payload() payload: PayloadOf<typeof ListDeposits>): Promise<ReplyOf<typeof ListDeposits>> {
    return this.queries.execute(new ListDepositsQuery(payload));
  }

  @MessagePattern(GetDeposit.pattern)
  getDeposit(@Payload() { accountId, depositId }: PayloadOf<typeof GetDeposit>): Promise<ReplyOf<typeof GetDeposit>> {
    return this.queries.execute(new GetDepositQuery(accountId, depositId));
  }

  @MessagePattern(GetFundingCode.pattern)
  getFundingCode(@Payload() { accountId }: PayloadOf<typeof GetFundingCode>): Promise<ReplyOf<typeof GetFundingCode>> {
    return this.queries.execute(new GetFundingCodeQuery(accountId));
  }
}
