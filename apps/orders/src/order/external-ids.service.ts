import { Inject, Injectable } from '@nestjs/common';
import type { PlaceOrderPayload, Timestamp } from '@ponte/contracts';
import { Aggregates, commandContext } from '@ponte/event-sourcing';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Refusal } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { EXTERNAL_ID_REFUSALS, KEY_REFUSALS } from './external-id.decider';
import { conflictOf, externalId, externalIdStream, keyStream } from './external-id.decider';
import type { ExternalId, Reserve } from './external-id.decider';
import { owns, placed } from './order.state';
import { Orders } from './orders.repository';
import { withoutDeadline, step } from './order-ids.domain';

/** The fields of a request that only one order may use. */
type UniqueFields = Pick<PlaceOrderPayload, 'accountId' | 'externalId' | 'keyHash'>;

/** One acceptance of a quote, identified by its hold or charge. */
interface AcceptanceClaim {
  readonly orderId: string;
  readonly fundingId: string;
}

type Unique = Pick<Reserve, 'refusals'> & { readonly stream: string; readonly label: string };

/** Reserves and releases the external ids and the idempotency keys of acceptances. */
@Injectable()
export class ExternalIds {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly orders: Orders,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Whether another order uses the external id, or may still be placed with it. */
  async isUsed({ accountId, externalId: text }: UniqueFields, orderId: string, at: Timestamp): Promise<boolean> {
    return text !== null && (await this.conflictIn(externalIdStream(accountId, text), orderId, at)) !== null;
  }

  /**
   * Refuses `idempotency-key-reused` if the key placed the order of another quote, and `idempotency-in-progress` if it
   * may still do so.
   */
  async refuseReusedKey({ keyHash }: UniqueFields, orderId: string, at: Timestamp): Promise<void> {
    if (!keyHash) return;
    const conflict = await this.conflictIn(keyStream(keyHash), orderId, at);
    if (conflict !== null) throw new Refusal([KEY_REFUSALS[conflict]]);
  }

  /**
   * Refuses as `refuseReusedKey` does, and `external-id-already-used`. One after the other: what is still being
   * reserved when the other is refused could not be released.
   */
  async reserve(
    request: UniqueFields,
    { orderId, fundingId }: AcceptanceClaim,
    until: Timestamp,
    context: RequestContext,
  ): Promise<void> {
    const { accountId } = request;
    for (const { stream, label, refusals } of uniqueOf(request))
      await this.aggregates.handle(
        externalId,
        stream,
        async (at: string) => {
          const { state } = await this.aggregates.load(externalId, stream);
          const unused = await this.unusedBy(state);
          return { kind: 'reserve', accountId, orderId, fundingId, until, at, unused, refusals } as const;
        },
        commandContext(step(context, `reserve-${label}`, fundingId), this.clock),
      );
  }

  async release(
    request: UniqueFields,
    { orderId, fundingId }: AcceptanceClaim,
    context: RequestContext,
  ): Promise<void> {
    const command = { kind: 'release', accountId: request.accountId, orderId, fundingId } as const;
    for (const { stream, label } of uniqueOf(request)) {
      const once = withoutDeadline(context, `release-${label}`, fundingId);
      await this.aggregates.handle(externalId, stream, command, commandContext(once, this.clock));
    }
  }

  private async conflictIn(stream: string, orderId: string, at: Timestamp): Promise<ReturnType<typeof conflictOf>> {
    const { state } = await this.aggregates.load(externalId, stream);
    return conflictOf(state, orderId, at, await this.unusedBy(state));
  }

  /** The order's id if it does not use this reservation: it was not placed, or with none of the claims. */
  private async unusedBy(state: ExternalId): Promise<string | null> {
    if (state.status === 'free') return null;
    const existing = placed(await this.orders.load(state.orderId));
    return existing && state.claims.some((fundingId) => owns(existing, fundingId)) ? null : state.orderId;
  }
}

/** The labels are part of command ids, so they never change. A gateway of an earlier version sends no key. */
function uniqueOf({ accountId, externalId: text, keyHash }: UniqueFields): readonly Unique[] {
  return [
    ...(keyHash ? [{ stream: keyStream(keyHash), label: 'key', refusals: KEY_REFUSALS }] : []),
    ...(text === null
      ? []
      : [{ stream: externalIdStream(accountId, text), label: 'external-id', refusals: EXTERNAL_ID_REFUSALS }]),
  ];
}
