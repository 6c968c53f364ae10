import { Injectable } from '@nestjs/common';
import { defineRepository } from '@ponte/nest';
import { LRUCache } from 'lru-cache';
import type { Endpoint, Endpoints } from './endpoints.state';
import { endpointsDecider } from './endpoints.decider';

/** Accounts of which it is remembered how far the reader of the log has seen their endpoints. */
const REMEMBERED = 20_000;

/** The endpoints as their streams have them now; no view stands between a deletion and the next request. */
@Injectable()
export class AccountEndpoints extends defineRepository(endpointsDecider) {
  /** Revisions of the streams, of which none is further in the part of the log that was read. */
  private readonly seen = new LRUCache<string, number>({ max: REMEMBERED });

  async find(accountId: string, endpointId: string): Promise<Endpoint | undefined> {
    return (await this.load(accountId)).get(endpointId);
  }

  /**
   * The outbox's reader begins, maybe far from where this process was last: what others have read meanwhile was not
   * seen.
   */
  readerBegins(): void {
    this.seen.clear();
  }

  /** That reader has come upon an event of the account's endpoints. */
  readerSaw(accountId: string, revision: number): void {
    this.seen.set(accountId, Math.max(revision, this.seen.get(accountId) ?? -1));
  }

  /**
   * The endpoints at least as they were where the reader is: for news that it has just read, without asking the store
   * for each.
   */
  async asRead(accountId: string): Promise<Endpoints> {
    const least = this.seen.get(accountId);
    const { state, revision } = await this.loadWithRevision(
      accountId,
      (held) => least !== undefined && held.revision >= least,
    );
    this.readerSaw(accountId, revision);
    return state;
  }
}
