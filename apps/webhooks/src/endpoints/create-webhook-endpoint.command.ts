import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { CreateWebhookEndpoint } from '@ponte/contracts';
import type { PersonalData, ReplyOf } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime, refuse, repeatsFirstResponse } from '@ponte/kernel';
import { CLOCK, PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import { asCreated } from './endpoints.state';
import { endpointRecord } from './endpoint.record';
import { EndpointTargets } from './endpoint-targets.service';
import type { Secrets } from './secrets.port';
import { SECRETS } from './secrets.port';
import { AccountEndpoints } from './account-endpoints.service';

/** The reply contains the secret, even when the command is repeated. Besides a rotation, no other reply does. */
export class CreateWebhookEndpointCommand extends RequestCommand<typeof CreateWebhookEndpoint> {}

@CommandHandler(CreateWebhookEndpointCommand)
export class CreateWebhookEndpointHandler implements ICommandHandler<CreateWebhookEndpointCommand> {
  constructor(
    private readonly endpoints: AccountEndpoints,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly targets: EndpointTargets,
  ) {}

  async execute({ payload, context }: CreateWebhookEndpointCommand): Promise<ReplyOf<typeof CreateWebhookEndpoint>> {
    const { accountId, endpointId, eventTypes } = payload;
    const target = await this.targets.read(endpointId, payload.url);
    const { state, events } = await this.endpoints.handle(
      accountId,
      async (now: string) => ({
        kind: 'create' as const,
        endpointId,
        accountId,
        ...target,
        eventTypes,
        description: payload.description ?? null,
        now,
        secret: await this.personalData.seal(endpointId, this.secrets.next()),
      }),
      context,
    );
    const [created] = events.map((event) =>
      event.type === 'WebhookEndpointCreated' ? asCreated(event.data) : undefined,
    );
    const time = this.clock.now();
    // For a day, a repeated command gets the first reply, even if the endpoint has changed since.
    const isRecent = created !== undefined && repeatsFirstResponse(created.createdAt, time);
    const endpoint = isRecent ? created : state.byId.get(created?.endpointId ?? endpointId);
    if (!endpoint) return refuse('webhook-endpoint-not-found', 'the webhook endpoint of this request was deleted');
    return { ...endpointRecord(endpoint, isoTime(time)), secret: endpoint.secret };
  }
}
