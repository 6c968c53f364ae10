import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { PingWebhookEndpoint } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import { endpointsDecider } from './endpoints.decider';

type Queued = { eventId: string; queuedAt: string } | null;

export class PingWebhookEndpointCommand extends Command<Queued> {
  constructor(
    readonly payload: PayloadOf<typeof PingWebhookEndpoint>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

/** The outbox projector turns the fact into a delivery. */
@CommandHandler(PingWebhookEndpointCommand)
export class PingWebhookEndpointHandler implements ICommandHandler<PingWebhookEndpointCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ payload: { accountId, endpointId }, context }: PingWebhookEndpointCommand): Promise<Queued> {
    const eventId = derivedId('webhook-ping', context.commandId);
    const command = (now: string) => ({ kind: 'ping' as const, endpointId, eventId, now });
    const { events } = await this.aggregates.handle(
      endpointsDecider,
      accountId,
      command,
      commandContext(context, this.clock),
    );
    const pinged = events[0];
    return pinged?.type === 'WebhookEndpointPinged'
      ? { eventId: pinged.data.eventId, queuedAt: pinged.data.pingedAt }
      : null;
  }
}
