import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { EndpointDisabledReason } from '@ponte/contracts';
import { GetAccountParent } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { Aggregates, logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, commandContext, LOGGER, MESSAGE_BUS } from '@ponte/nest';
import type { Logger } from 'pino';
import { endpointsDecider } from './endpoints.decider';

/** Our own command, never a caller's. */
export class DisableWebhookEndpointCommand extends Command<void> {
  constructor(
    readonly accountId: string,
    readonly endpointId: string,
    readonly reason: Exclude<EndpointDisabledReason, 'requested'>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(DisableWebhookEndpointCommand)
export class DisableWebhookEndpointHandler implements ICommandHandler<DisableWebhookEndpointCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ accountId, endpointId, reason, context }: DisableWebhookEndpointCommand): Promise<void> {
    // An event of an account goes to its parent too. Without an answer the endpoint stays enabled, and its next
    // failed attempt asks again.
    const found = await this.bus.request(GetAccountParent, { accountId }, context);
    const parentId = found?.parentId ?? null;
    const command = (now: string) => ({ kind: 'disable' as const, endpointId, reason, parentId, now });
    const { events, replayed } = await this.aggregates.handle(
      endpointsDecider,
      accountId,
      command,
      commandContext(context, this.clock),
    );
    if (events.length > 0 && !replayed)
      this.logger.warn({ ...logged(context), accountId, endpointId, reason }, 'a webhook endpoint was disabled');
  }
}
