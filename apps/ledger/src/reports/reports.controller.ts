import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { GetFxDays, GetIofPayable, GetTrialBalance } from '@ponte/contracts';
import type { PayloadOf, ReplyOf } from '@ponte/event-sourcing';
import { GetTrialBalanceQuery } from '../trial-balance/get-trial-balance.query';
import { GetFxDaysQuery, GetIofPayableQuery } from './get-fx-reports.query';

/** What finance reads: the FX days, the IOF payable and the trial balance. */
@Controller()
export class ReportMessages {
  constructor(private readonly queries: QueryBus) {}

  @MessagePattern(GetFxDays.pattern)
  getFxDays(@Payload() payload: PayloadOf<typeof GetFxDays>): Promise<ReplyOf<typeof GetFxDays>> {
    return this.queries.execute(new GetFxDaysQuery(payload));
  }

  @MessagePattern(GetIofPayable.pattern)
  getIofPayable(@Payload() payload: PayloadOf<typeof GetIofPayable>): Promise<ReplyOf<typeof GetIofPayable>> {
    return this.queries.execute(new GetIofPayableQuery(payload));
  }

  @MessagePattern(GetTrialBalance.pattern)
  getTrialBalance(
    @Payload() { customers }: PayloadOf<typeof GetTrialBalance>,
  ): Promise<ReplyOf<typeof GetTrialBalance>> {
    return this.queries.execute(new GetTrialBalanceQuery(customers));
  }
}
