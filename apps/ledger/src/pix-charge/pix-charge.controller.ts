import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { ClosePixCharge, GetCharge, ListOverdueCharges, OpenPixCharge, ReturnChargePayment } from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { ClosePixChargeCommand } from './close-pix-charge.command';
import { GetChargeQuery } from './get-charge.query';
import { ListOverdueChargesQuery } from './list-overdue-charges.query';
import { OpenPixChargeCommand } from './open-pix-charge.command';
import { ReturnChargePaymentCommand } from './return-charge-payment.command';

/** Pix charges of orders. */
@Controller()
export class PixChargeMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @MessagePattern(OpenPixCharge.pattern)
  openPixCharge(
    @Payload() payload: PayloadOf<typeof OpenPixCharge>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof OpenPixCharge>> {
    return this.commands.execute(new OpenPixChargeCommand(payload, context));
  }

  @MessagePattern(ClosePixCharge.pattern)
  closePixCharge(
    @Payload() { txid }: PayloadOf<typeof ClosePixCharge>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ClosePixCharge>> {
    return this.commands.execute(new ClosePixChargeCommand(txid, context));
  }

  @MessagePattern(ReturnChargePayment.pattern)
  returnChargePayment(
    @Payload() payload: PayloadOf<typeof ReturnChargePayment>,
    @Ctx() context: RequestContext,
  ): Promise<ReplyOf<typeof ReturnChargePayment>> {
    return this.commands.execute(new ReturnChargePaymentCommand(payload, context));
  }

  @MessagePattern(GetCharge.pattern)
  getCharge(@Payload() { txid }: PayloadOf<typeof GetCharge>): Promise<ReplyOf<typeof GetCharge>> {
    return this.queries.execute(new GetChargeQuery(txid));
  }

  @MessagePattern(ListOverdueCharges.pattern)
  listOverdueCharges(
    @Payload() payload: PayloadOf<typeof ListOverdueCharges>,
  ): Promise<ReplyOf<typeof ListOverdueCharges>> {
    return this.queries.execute(new ListOverdueChargesQuery(payload));
  }
}
