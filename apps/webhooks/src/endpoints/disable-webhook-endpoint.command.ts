import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import type { EndpointDisabledReason } from '@ponte/contracts';
import { GetAccountParent } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { LOGGER, MESSAGE_BUS, PayloadCommand } from '@ponte/nest';
import { AccountEndpoints } from './account-endpoints.service';

/** Disables an endpoint after a 410 or 120 h of failures. Sent by this service only. */
export class DisableWebhookEndpointCommand extends PayloadCommand<{
  readonly accountId: string;
  readonly endpointId: string;
  readonly reason: Exclude<EndpointDisabledReason, 'requested'>;
  /** When the attempt failed that is the reason. */
  readonly failedAt: string;
}> {}

@CommandHandler(DisableWebhookEndpointCommand)
export class DisableWebhookEndpointHandler implements ICommandHandler<DisableWebhookEndpointCommand> {
  constructor(
    private readonly endpoints: AccountEndpoints,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ payload, context }: DisableWebhookEndpointCommand): Promise<void> {
    const { accountId, endpointId, reason, failedAt } = payload;
    // The event is published to the parent too. If this request fails, the endpoint stays enabled, and its next failed
    // attempt sends the command again.
    const found = await this.bus.request(GetAccountParent, { accountId }, context);
    const parentId = found?.parentId ?? null;
    const command = (now: string) => ({ kind: 'disable' as const, endpointId, reason, parentId, failedAt, now });
    const { events, replayed } = await this.endpoints.handle(accountId, command, context);
    if (events.length > 0 && !replayed)
      this.logger.warn({ ...logged(context), accountId, endpointId, reason }, 'a webhook endpoint was disabled');
  }
}
