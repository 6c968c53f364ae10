import { createHmac } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { PublishedEnvelope } from '@ponte/contracts';
import { wireBody } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { openIfReadable, SealBroken } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime } from '@ponte/kernel';
import { CLOCK, PERSONAL_DATA, SYSTEM_CLOCK } from '@ponte/nest';
import type { Endpoint } from '../endpoints/endpoints.state';
import type { OutgoingRequest } from '../outgoing-http/outgoing-http.port';
import { PayloadOpener } from '../outgoing-http/payload-opener';

const SECRET_PREFIX = 'whsec_';

/**
 * Builds the signed HTTP request. Personal members are opened here and kept only for the request; those of a person
 * whose data was erased read `[erased]`, and those that cannot be decrypted `[unavailable]`. The signed timestamp is
 * system time, since receivers compare it with their own clock.
 */
@Injectable()
export class SignedRequests {
  /** `clock`: business time, which determines the end of a rotation's grace period. */
  constructor(
    private readonly payloads: PayloadOpener,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** `personal`: the personal members in clear text, to be removed from a response before it is stored. */
  async make(
    endpoint: Endpoint,
    envelope: PublishedEnvelope,
  ): Promise<OutgoingRequest & { readonly personal: readonly string[] }> {
    const { payload, personal } = await this.payloads.open(envelope);
    const body = wireBody(envelope, payload);
    const secrets = await this.secretsOf(endpoint);
    const timestamp = String(Math.floor(this.systemClock.now() / 1000));
    return {
      url: endpoint.sealedUrl === undefined ? endpoint.url : await this.personalData.open(endpoint.sealedUrl),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Ponte-Webhooks/1',
        'webhook-id': envelope.eventId,
        'webhook-timestamp': timestamp,
        'webhook-signature': secrets.map((secret) => signature(secret, envelope.eventId, timestamp, body)).join(' '),
      },
      body,
      personal,
    };
  }

  /** One that cannot be decrypted is left out, so that a rotation ends this state. Throws `SealBroken` if none can be. */
  private async secretsOf(endpoint: Endpoint): Promise<readonly string[]> {
    const sealed = signingSecrets(endpoint, isoTime(this.clock.now()));
    const opened = await Promise.all(sealed.map((secret) => openIfReadable(this.personalData, secret)));
    const secrets = opened.filter((secret) => secret !== undefined);
    if (secrets.length === 0) throw new SealBroken();
    return secrets;
  }
}

/** The secrets that sign for an endpoint at `now`, the newest first. */
export const signingSecrets = (
  { secret, previousSecret }: Pick<Endpoint, 'secret' | 'previousSecret'>,
  now: string,
): readonly Sealed[] => [secret, ...(previousSecret && now < previousSecret.until ? [previousSecret.secret] : [])];

/**
 * A signature of Standard Webhooks, version 1. It uses Node's HMAC, because the one of the `standardwebhooks` package,
 * with which the tests verify, is written in JavaScript and takes twenty times as long.
 */
export function signature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
