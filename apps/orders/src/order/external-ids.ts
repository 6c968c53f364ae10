import { Inject, Injectable } from '@nestjs/common';
import type { PlaceOrderPayload, Timestamp } from '@ponte/contracts';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { externalId, externalIdStream, usedByAnother } from './external-id.decider';
import { placed } from './order.state';
import { Orders } from './orders.repository';
import { withoutDeadline, step } from './order-ids.domain';

/** What an order with an external id asks for. */
type ExternalIdRequest = Pick<PlaceOrderPayload, 'accountId'> & { readonly externalId: string };

/** Reserves and releases external ids for acceptances. */
@Injectable()
export class ExternalIds {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly orders: Orders,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async isUsed({ accountId, externalId: text }: ExternalIdRequest, orderId: string, at: Timestamp): Promise<boolean> {
    const { state } = await this.aggregates.load(externalId, externalIdStream(accountId, text));
    return usedByAnother(
      state,
      orderId,
      at,
      await this.unusedBy(state.status === 'reserved' ? state.orderId : null, accountId, text),
    );
  }

  /** Refuses `external-id-already-used`. The claim is recorded with the acceptance's funding id. */
  async reserve(
    wanted: ExternalIdRequest,
    orderId: string,
    until: Timestamp,
    fundingId: string,
    context: RequestContext,
  ): Promise<void> {
    const { accountId, externalId: text } = wanted;
    const stream = externalIdStream(accountId, text);
    await this.aggregates.handle(
      externalId,
      stream,
      async (at: string) => {
        const { state } = await this.aggregates.load(externalId, stream);
        const unused = await this.unusedBy(state.status === 'reserved' ? state.orderId : null, accountId, text);
        return { kind: 'reserve', accountId, orderId, fundingId, until, at, unused } as const;
      },
      commandContext(step(context, 'reserve-external-id', fundingId), this.clock),
    );
  }

  async release(
    { accountId, externalId: text }: ExternalIdRequest,
    orderId: string,
    fundingId: string,
    context: RequestContext,
  ): Promise<void> {
    const command = { kind: 'release', accountId, orderId, fundingId } as const;
    const once = withoutDeadline(context, 'release-external-id', fundingId);
    await this.aggregates.handle(
      externalId,
      externalIdStream(accountId, text),
      command,
      commandContext(once, this.clock),
    );
  }

  /** The order's id if it does not use this external id: it was not placed, or was placed with another one. */
  private async unusedBy(orderId: string | null, accountId: string, text: string): Promise<string | null> {
    if (orderId === null) return null;
    const existing = placed(await this.orders.load(orderId));
    return existing?.terms.accountId === accountId && existing.terms.externalId === text ? null : orderId;
  }
}
