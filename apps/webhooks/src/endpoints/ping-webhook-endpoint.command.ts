import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { PingWebhookEndpoint } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { AccountEndpoints } from './account-endpoints.service';

export class PingWebhookEndpointCommand extends RequestCommand<typeof PingWebhookEndpoint> {}

/** Records the ping. The outbox projector turns the event into a delivery. */
@CommandHandler(PingWebhookEndpointCommand)
export class PingWebhookEndpointHandler implements ICommandHandler<PingWebhookEndpointCommand> {
  constructor(private readonly endpoints: AccountEndpoints) {}

  async execute({
    payload: { accountId, endpointId },
    context,
  }: PingWebhookEndpointCommand): Promise<ReplyOf<typeof PingWebhookEndpoint>> {
    const eventId = derivedId('webhook-ping', context.commandId);
    const command = (now: string) => ({ kind: 'ping' as const, endpointId, eventId, now });
    const { events } = await this.endpoints.handle(accountId, command, context);
    const pinged = events[0];
    return pinged?.type === 'WebhookEndpointPinged'
      ? { eventId: pinged.data.eventId, queuedAt: pinged.data.pingedAt }
      : null;
  }
}
