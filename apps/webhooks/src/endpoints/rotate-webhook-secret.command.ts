import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandHandler } from '@nestjs/cqrs';
import type { RotateWebhookSecret, WebhookEndpointRecord } from '@ponte/contracts';
import type { PayloadOf, PersonalData, RequestContext } from '@ponte/event-sourcing';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, commandContext, PERSONAL_DATA } from '@ponte/nest';
import { endpointsDecider } from './endpoints.decider';
import { endpointRecord } from './endpoint.record';
import type { Secrets } from './secrets.port';
import { SECRETS } from '../webhooks-tokens.port';

/** Answers the new secret, also to a repetition of the same command. Null when the account has no such endpoint. */
export class RotateWebhookSecretCommand extends Command<(WebhookEndpointRecord & { secret: string }) | null> {
  constructor(
    readonly payload: PayloadOf<typeof RotateWebhookSecret>,
    readonly context: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(RotateWebhookSecretCommand)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecretCommand> {
  constructor(
    @Inject(Aggregates) private readonly aggregates: Aggregates,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    payload: { accountId, endpointId },
    context,
  }: RotateWebhookSecretCommand): Promise<(WebhookEndpointRecord & { secret: string }) | null> {
    const rotate = async (now: string) => ({
      kind: 'rotate-secret' as const,
      endpointId,
      secret: await this.personalData.seal(endpointId, this.secrets.next()),
      now,
    });
    const { state, events } = await this.aggregates.handle(
      endpointsDecider,
      accountId,
      rotate,
      commandContext(context, this.clock),
    );
    const rotated = events[0];
    const endpoint = state.get(endpointId);
    if (!endpoint || rotated?.type !== 'WebhookSecretRotated') return null;
    const record = endpointRecord(endpoint, isoTime(this.clock.now()));
    return { ...record, secret: await this.personalData.open(rotated.data.secret) };
  }
}
