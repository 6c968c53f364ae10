import { Inject, Injectable } from '@nestjs/common';
import { ReturnChargePayment } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import { withoutDeadline } from '../order/order-ids.domain';

/** Returns the payment of a charge to its payer, only once even if several processes find it unneeded. */
@Injectable()
export class ReturnPayment {
  constructor(@Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  async of(txid: string, context: RequestContext): Promise<void> {
    await this.bus.request(
      ReturnChargePayment,
      { txid, reason: 'order-rolled-back' },
      withoutDeadline(context, 'return-payment', txid),
    );
  }
}
