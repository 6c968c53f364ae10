import { createHmac } from 'node:crypto';
import type { PublishedEnvelope } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { isSealed } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import type { Endpoint } from '../domain/webhook-endpoint/endpoints';
import { shown, wireBody } from '../domain/publication/wire';
import type { OutgoingRequest } from '../ports/outgoing-http';

const SECRET_PREFIX = 'whsec_';

/**
 * Builds what goes over the wire. Personal members are opened here and live no longer than the request; a person who was
 * erased in the meantime reads `[erased]`. The time in the signature is the machine's, since receivers compare it with theirs.
 */
export class SignedRequests {
  constructor(private readonly personalData: PersonalData, private readonly systemClock: Clock) {}

  async make(endpoint: Endpoint, envelope: PublishedEnvelope): Promise<OutgoingRequest> {
    const body = wireBody(envelope, await this.opened(envelope));
    const secret = await this.personalData.open(endpoint.secret);
    const timestamp = String(Math.floor(this.systemClock.now() / 1000));
    return {
      url: endpoint.sealedUrl === undefined ? endpoint.url : await this.personalData.open(endpoint.sealedUrl),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Ponte-Webhooks/1',
        'webhook-id': envelope.eventId,
        'webhook-timestamp': timestamp,
        'webhook-signature': signature(secret, envelope.eventId, timestamp, body),
      },
      body,
    };
  }

  private async opened(envelope: PublishedEnvelope): Promise<PublishedEnvelope['payload']> {
    const { payload } = envelope;
    if (!Object.values(payload).some(isSealed)) return payload;
    const members = Object.entries(payload).map(async ([name, value]) => [name, isSealed(value) ? shown(envelope, await this.personalData.open(value)) : value] as const);
    return Object.fromEntries(await Promise.all(members));
  }
}

/**
 * Standard Webhooks, version 1. By Node's own HMAC: that of the `standardwebhooks` package, which the tests verify with, is written in
 * JavaScript and takes twenty times as long.
 */
function signature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
