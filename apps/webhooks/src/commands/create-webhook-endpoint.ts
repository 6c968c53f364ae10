import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { CreateWebhookEndpoint, WebhookEndpointRecord } from '@ponte/contracts';
import { openInTransit } from '@ponte/contracts';
import type { PayloadOf, PersonalData, RequestContext } from '@ponte/event-sourcing';
import { Aggregates, isSealed } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import { CLOCK, deciding, PERSONAL_DATA, RUNTIME } from '@ponte/nest';
import type { Endpoint } from '../domain/webhook-endpoint/endpoints';
import { endpointsDecider } from '../domain/webhook-endpoint/endpoints';
import { endpointRecord } from '../domain/webhook-endpoint/record';
import { hasQuery, targetRules } from '../domain/webhook-endpoint/target.policy';
import type { Secrets } from '../ports/secrets';
import type { TargetAddresses } from '../ports/target-addresses';
import { SECRETS, TARGET_ADDRESSES } from '../ports/tokens';

/** Answers the secret, also to a repetition of the same command; no other answer carries it. */
export class CreateWebhookEndpointCommand extends Command<WebhookEndpointRecord & { secret: string }> {
  constructor(readonly payload: PayloadOf<typeof CreateWebhookEndpoint>, readonly context: RequestContext) {
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
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(TARGET_ADDRESSES) private readonly targets: TargetAddresses,
  ) {}

  async execute({ payload, context }: CreateWebhookEndpointCommand): Promise<WebhookEndpointRecord & { secret: string }> {
    const { accountId, endpointId, eventTypes } = payload;
    const url = isSealed(payload.url) ? (await openInTransit<{ secret: string }>(this.personalData, payload.url)).secret : payload.url;
    const rules = targetRules(this.runtime.environment);
    const addresses = rules.privateAllowed ? [] : await this.targets.of(url);
    const { state, events } = await this.aggregates.handle(endpointsDecider, accountId, async (now: string) => ({
      kind: 'create' as const, endpointId, accountId, url, eventTypes, rules, addresses, now,
      sealedUrl: hasQuery(url) ? await this.personalData.seal(endpointId, url) : null,
      secret: await this.personalData.seal(endpointId, this.secrets.next()),
    }), deciding(context, this.clock));
    const endpoint = events.map((event) => event.type === 'WebhookEndpointCreated' ? asCreated(event.data) : undefined)[0] ?? state.get(endpointId);
    if (!endpoint) throw new Error('a created endpoint is not there');
    return { ...endpointRecord(endpoint), secret: await this.personalData.open(endpoint.secret) };
  }
}

/** A repetition is answered as the first time, whatever became of the endpoint since. */
const asCreated = (data: Omit<Endpoint, 'status' | 'pings' | 'lastPing'>): Endpoint => ({ ...data, status: 'enabled', pings: 0, lastPing: null });
