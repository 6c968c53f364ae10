import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PaymentMethod } from '@ponte/contracts';
import { ClosePixCharge, ReleaseHold } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { owns, placed } from '../order/order.state';
import { Orders } from '../order/orders.repository';
import { ReturnPayment } from './return-payment.service';
import { withoutDeadline } from '../order/order-ids.domain';

interface ReleasedFunds {
  readonly orderId: string;
  readonly accountId: string;
  readonly kind: PaymentMethod;
  readonly fundingId: string;
}

/**
 * Releases the funds of an acceptance unless an order owns them and is not rolled back. `owned`: an order was placed
 * with them.
 */
export class ReleaseFundsCommand extends PayloadCommand<ReleasedFunds, { owned: boolean }> {}

/** Records the abandonment in the order's stream before releasing, so that the stream decides the race. */
@CommandHandler(ReleaseFundsCommand)
export class ReleaseFundsHandler implements ICommandHandler<ReleaseFundsCommand> {
  constructor(
    private readonly orders: Orders,
    private readonly returnPayment: ReturnPayment,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
  ) {}

  async execute({ payload: funding, context }: ReleaseFundsCommand): Promise<{ owned: boolean }> {
    const { orderId, accountId, kind, fundingId } = funding;
    const command = { kind: 'abandon', orderId, accountId, fundingId } as const;
    const existing = placed(
      await this.orders.execute(orderId, command, withoutDeadline(context, 'abandon', orderId, fundingId)),
    );
    const owned = existing !== undefined && owns(existing, fundingId);
    if (owned && existing.status !== 'rolled-back') return { owned };
    switch (kind) {
      case 'account-balance':
        await this.release(accountId, fundingId, context);
        break;
      case 'brcode':
        await this.close(fundingId, context);
        break;
    }
    return { owned };
  }

  private async release(accountId: string, holdId: string, context: RequestContext): Promise<void> {
    await this.bus.request(
      ReleaseHold,
      { accountId, holdId, reason: 'acceptance-abandoned' },
      withoutDeadline(context, 'release-hold', holdId),
    );
  }

  private async close(txid: string, context: RequestContext): Promise<void> {
    const outcome = await this.bus.request(ClosePixCharge, { txid }, withoutDeadline(context, 'close-charge', txid));
    if (outcome.state === 'paid') await this.returnPayment.of(txid, context);
  }
}
