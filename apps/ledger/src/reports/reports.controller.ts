import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { GetFxDays, GetIofPayable, GetTrialBalance } from '@ponte/contracts';
import type { PayloadOf, ReplyOf } from '@ponte/event-sourcing';
import { forwardRequests } from '@ponte/nest';
import { GetTrialBalanceQuery } from '../trial-balance/get-trial-balance.query';
import { GetFxDaysQuery, GetIofPayableQuery } from './get-fx-reports.query';

/** Reports for finance: the FX days, the IOF payable and the trial balance. */
@Controller()
export class ReportMessages extends forwardRequests([GetFxDays, GetFxDaysQuery], [GetIofPayable, GetIofPayableQuery]) {
  @MessagePattern(GetTrialBalance.pattern)
  getTrialBalance(
    @Payload() { customers }: PayloadOf<typeof GetTrialBalance>,
  ): Promise<ReplyOf<typeof GetTrialBalance>> {
    return this.queries.execute(new GetTrialBalanceQuery(customers));
  }
}
