import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { ChangeWebhookEndpoint } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId, isoTime } from '@ponte/kernel';
import { CLOCK, RequestCommand } from '@ponte/nest';
import { endpointRecord } from './endpoint.record';
import { EndpointTargets } from './endpoint-targets.service';
import { AccountEndpoints } from './account-endpoints.service';

/** Null when the account has no such endpoint. */
export class ChangeWebhookEndpointCommand extends RequestCommand<typeof ChangeWebhookEndpoint> {}

@CommandHandler(ChangeWebhookEndpointCommand)
export class ChangeWebhookEndpointHandler implements ICommandHandler<ChangeWebhookEndpointCommand> {
  constructor(
    private readonly endpoints: AccountEndpoints,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly targets: EndpointTargets,
  ) {}

  async execute({ payload, context }: ChangeWebhookEndpointCommand): Promise<ReplyOf<typeof ChangeWebhookEndpoint>> {
    const { accountId, endpointId, url, eventTypes, description, enabled, replayMissed } = payload;
    if (!(await this.endpoints.find(accountId, endpointId))) return null;
    const target = url === null ? null : await this.targets.read(endpointId, url);
    const replayId = replayMissed ? derivedId('webhook-replay', context.commandId) : null;
    const change = { kind: 'change' as const, endpointId, target, eventTypes, description, enabled, replayId };
    const { state } = await this.endpoints.handle(accountId, (now: string) => ({ ...change, now }), context);
    const endpoint = state.byId.get(endpointId);
    return endpoint ? endpointRecord(endpoint, isoTime(this.clock.now())) : null;
  }
}
