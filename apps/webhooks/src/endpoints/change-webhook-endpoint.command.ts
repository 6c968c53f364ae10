import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { ChangeWebhookEndpoint, WebhookEndpointRecord } from '@ponte/contracts';
import type { PayloadOf, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId, isoTime } from '@ponte/kernel';
import { CLOCK, commandContext } from '@ponte/nest';
import { endpointsDecider } from './endpoints.decider';
import { endpointRecord } from './endpoint.record';
import { EndpointTargets } from './endpoint-targets';

/** Null when the account has no such endpoint. */
export class ChangeWebhookEndpointCommand extends Command<WebhookEndpointRecord | null> {
  constructor(
    readonly payload: PayloadOf<typeof ChangeWebhookEndpoint>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ChangeWebhookEndpointCommand)
export class ChangeWebhookEndpointHandler implements ICommandHandler<ChangeWebhookEndpointCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(EndpointTargets) private readonly targets: EndpointTargets,
  ) {}

  async execute({ payload, context }: ChangeWebhookEndpointCommand): Promise<WebhookEndpointRecord | null> {
    const { accountId, endpointId, url, eventTypes, description, enabled, replayMissed } = payload;
    const { state: before } = await this.aggregates.load(endpointsDecider, accountId);
    if (!before.has(endpointId)) return null;
    const target = url === null ? null : await this.targets.read(endpointId, url);
    const replayId = replayMissed ? derivedId('webhook-replay', context.commandId) : null;
    const change = { kind: 'change' as const, endpointId, target, eventTypes, description, enabled, replayId };
    const { state } = await this.aggregates.handle(
      endpointsDecider,
      accountId,
      (now: string) => ({ ...change, now }),
      commandContext(context, this.clock),
    );
    const endpoint = state.get(endpointId);
    return endpoint ? endpointRecord(endpoint, isoTime(this.clock.now())) : null;
  }
}
