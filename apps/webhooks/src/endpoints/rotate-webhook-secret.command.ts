import { Inject } from '@nestjs/common';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandHandler } from '@nestjs/cqrs';
import type { RotateWebhookSecret } from '@ponte/contracts';
import type { PersonalData, ReplyOf } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import { endpointRecord } from './endpoint.record';
import type { Secrets } from './secrets.port';
import { SECRETS } from './secrets.port';
import { AccountEndpoints } from './account-endpoints.service';

/** The reply contains the new secret, even when the command is repeated. Null when the account has no such endpoint. */
export class RotateWebhookSecretCommand extends RequestCommand<typeof RotateWebhookSecret> {}

@CommandHandler(RotateWebhookSecretCommand)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecretCommand> {
  constructor(
    private readonly endpoints: AccountEndpoints,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(SECRETS) private readonly secrets: Secrets,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({
    payload: { accountId, endpointId },
    context,
  }: RotateWebhookSecretCommand): Promise<ReplyOf<typeof RotateWebhookSecret>> {
    const rotate = async (now: string) => ({
      kind: 'rotate-secret' as const,
      endpointId,
      secret: await this.personalData.seal(endpointId, this.secrets.next()),
      now,
    });
    const { state, events } = await this.endpoints.handle(accountId, rotate, context);
    const rotated = events[0];
    const endpoint = state.byId.get(endpointId);
    if (!endpoint || rotated?.type !== 'WebhookSecretRotated') return null;
    const record = endpointRecord(endpoint, isoTime(this.clock.now()));
    return { ...record, secret: rotated.data.secret };
  }
}
