import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { ConfirmUsdDeposit, ListUsdDeposits, RecordUsdDeposit, RejectUsdDeposit } from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { DecideUsdDepositCommand, ListUsdDepositsQuery, RecordUsdDepositCommand } from './usd-deposits.commands';

/** Deposits of USD, which staff record and confirm. */
@Controller()
export class UsdDepositMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(RecordUsdDeposit.pattern)
  recordUsdDeposit(
    @Payload() payload: PayloadOf<typeof RecordUsdDeposit>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof RecordUsdDeposit>> {
    return this.commands.execute(new RecordUsdDepositCommand(payload, context));
  }

  @MessagePattern(ConfirmUsdDeposit.pattern)
  confirmUsdDeposit(
    @Payload() { depositId, staffId }: PayloadOf<typeof ConfirmUsdDeposit>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ConfirmUsdDeposit>> {
    return this.commands.execute(new DecideUsdDepositCommand('confirm', depositId, staffId, context));
  }

  @MessagePattern(RejectUsdDeposit.pattern)
  rejectUsdDeposit(
    @Payload() { depositId, staffId }: PayloadOf<typeof RejectUsdDeposit>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof RejectUsdDeposit>> {
    return this.commands.execute(new DecideUsdDepositCommand('reject', depositId, staffId, context));
  }

  @MessagePattern(ListUsdDeposits.pattern)
  listUsdDeposits(@Payload() payload: PayloadOf<typeof ListUsdDeposits>): Promise<ReplyOf<typeof ListUsdDeposits>> {
    return this.queries.execute(new ListUsdDepositsQuery(payload));
  }
}
