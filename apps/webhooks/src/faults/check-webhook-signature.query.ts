import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type { CheckWebhookSignature, WebhookSignatureParts } from '@ponte/contracts';
import { openInTransit } from '@ponte/contracts';
import type { PersonalData, ReplyOf } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Unavailable, isoTime } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import { CLOCK, PERSONAL_DATA, RUNTIME, RequestQuery, SYSTEM_CLOCK } from '@ponte/nest';
import { AccountEndpoints } from '../endpoints/account-endpoints.service';
import { signingSecrets } from '../dispatch/sending.service';
import { webhookChecks } from './signature-checks';

/** Sandbox only. Null when the account has no such endpoint. */
export class CheckWebhookSignatureQuery extends RequestQuery<typeof CheckWebhookSignature> {}

@QueryHandler(CheckWebhookSignatureQuery)
export class CheckWebhookSignatureHandler implements IQueryHandler<CheckWebhookSignatureQuery> {
  constructor(
    private readonly endpoints: AccountEndpoints,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(RUNTIME) private readonly runtime: Runtime,
  ) {}

  async execute({
    payload: { accountId, endpointId, parts },
  }: CheckWebhookSignatureQuery): Promise<ReplyOf<typeof CheckWebhookSignature>> {
    if (this.runtime.environment !== 'sandbox') throw new Unavailable('service-unavailable');
    const endpoint = await this.endpoints.find(accountId, endpointId);
    if (!endpoint) return null;
    const sealed = signingSecrets(endpoint, isoTime(this.clock.now()));
    const secrets = await Promise.all(sealed.map((one) => this.personalData.open(one)));
    const { secret } = await openInTransit<{ secret: string }>(this.personalData, parts);
    return {
      checks: webhookChecks(JSON.parse(secret) as WebhookSignatureParts, {
        secrets,
        now: this.systemClock.now() / 1000,
      }),
    };
  }
}
