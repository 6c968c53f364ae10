import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { GetAnyDeposit, GetUncreditedTokens, ListAllDeposits } from '@ponte/contracts';
import type { PayloadOf, ReplyOf } from '@ponte/event-sourcing';
import { GetAnyDepositQuery, GetUncreditedTokensQuery, ListAllDepositsQuery } from './any-deposit.query';

@Controller()
export class TokenDepositMessages {
  constructor(private readonly queries: QueryBus) {}

  @MessagePattern(ListAllDeposits.pattern)
  listAll(@Payload() payload: PayloadOf<typeof ListAllDeposits>): Promise<ReplyOf<typeof ListAllDeposits>> {
    return this.queries.execute(new ListAllDepositsQuery(payload));
  }

  @MessagePattern(GetAnyDeposit.pattern)
  getAny(@Payload() { depositId }: PayloadOf<typeof GetAnyDeposit>): Promise<ReplyOf<typeof GetAnyDeposit>> {
    return this.queries.execute(new GetAnyDepositQuery(depositId));
  }

  @MessagePattern(GetUncreditedTokens.pattern)
  uncredited(): Promise<ReplyOf<typeof GetUncreditedTokens>> {
    return this.queries.execute(new GetUncreditedTokensQuery());
  }
}
