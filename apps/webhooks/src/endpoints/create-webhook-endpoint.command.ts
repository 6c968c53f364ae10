import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { CreateWebhookEndpoint, WebhookEndpointRecord } from '@ponte/contracts';
import type { PayloadOf, PersonalData, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, commandContext, PERSONAL_DATA } from '@ponte/nest';
import { asCreated, endpointsDecider } from './endpoints.decider';
import { endpointRecord } from './endpoint.record';
import { EndpointTargets } from './endpoint-targets';
import type { Secrets } from './secrets.port';
import { SECRETS } from '../webhooks-tokens.port';

/** Answers the secret, also to a repetition of the same command; no other answer carries it. */
export class CreateWebhookEndpointCommand extends Command<WebhookEndpointRecord & { secret: string }> {
  constructor(
    readonly payload: PayloadOf<typeof CreateWebhookEndpoint>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(CreateWebhookEndpointCommand)
export class CreateWebhookEndpointHandler implements ICommandHandler<CreateWebhookEndpointCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(EndpointTargets) private readonly targets: EndpointTargets,
  ) {}

  async execute({
    payload,
    context,
  }: CreateWebhookEndpointCommand): Promise<WebhookEndpointRecord & { secret: string }> {
    const { accountId, endpointId, eventTypes } = payload;
    const target = await this.targets.read(endpointId, payload.url);
    const { state, events } = await this.aggregates.handle(
      endpointsDecider,
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
      commandContext(context, this.clock),
    );
    // A repetition is answered as the first time, whatever became of the endpoint since.
    const endpoint =
      events.map((event) => (event.type === 'WebhookEndpointCreated' ? asCreated(event.data) : undefined))[0] ??
      state.get(endpointId);
    if (!endpoint) throw new Error('a created endpoint is not there');
    return {
      ...endpointRecord(endpoint, isoTime(this.clock.now())),
      secret: await this.personalData.open(endpoint.secret),
    };
  }
}
