import { Injectable } from '@nestjs/common';
import type { WebhookEventType } from '@ponte/contracts';
import { lruCache } from '@ponte/kernel';
import { defineRepository } from '@ponte/nest';
import type { Endpoint, Endpoints } from './endpoints.state';
import { endpointsDecider } from './endpoints.decider';

/** The number of accounts whose last seen revision is kept in memory. */
const REMEMBERED = 20_000;

/**
 * The endpoints of accounts, read from their streams, so that a deletion takes effect before the next request is sent.
 */
@Injectable()
export class AccountEndpoints extends defineRepository(endpointsDecider) {
  /** Per account, a revision at or after the stream's last event in the part of the log that was read. */
  private readonly seen = lruCache<string, number>(REMEMBERED);

  async find(accountId: string, endpointId: string): Promise<Endpoint | undefined> {
    return (await this.load(accountId)).byId.get(endpointId);
  }

  /** Whether the URL of an endpoint was changed after the endpoint was read. */
  async hasMoved({ accountId, endpointId, url, sealedUrl }: Endpoint): Promise<boolean> {
    const now = await this.find(accountId, endpointId);
    return now !== undefined && (now.url !== url || now.sealedUrl !== sealedUrl);
  }

  /** Call when the outbox projector starts reading: it may start far from where this process stopped. */
  readerBegins(): void {
    this.seen.clear();
  }

  /** Call when the outbox projector has read an event of the account's endpoints. */
  readerSaw(accountId: string, revision: number): void {
    this.seen.set(accountId, Math.max(revision, this.seen.get(accountId) ?? -1));
  }

  /**
   * The endpoints as of the outbox projector's place in the log or later, without a store read for each published
   * event.
   */
  async asRead(accountId: string): Promise<Endpoints['byId']> {
    const least = this.seen.get(accountId);
    const { state, revision } = await this.loadWithRevision(
      accountId,
      (held) => least !== undefined && held.revision >= least,
    );
    this.readerSaw(accountId, revision);
    return state.byId;
  }
}

/** Whether an endpoint receives events of a type. Pings skip this check: no filter applies to them. */
export const receivesEvent = (endpoint: Endpoint, type: WebhookEventType): boolean =>
  endpoint.status === 'enabled' && (endpoint.eventTypes === null || endpoint.eventTypes.includes(type));

export type StopReason = 'endpoint-deleted' | 'endpoint-disabled';

/** Nothing is sent to an endpoint that has been disabled or deleted, not even a ping. */
export function reasonToStop(endpoint: Endpoint | undefined): StopReason | undefined {
  if (!endpoint) return 'endpoint-deleted';
  return endpoint.status === 'disabled' ? 'endpoint-disabled' : undefined;
}
