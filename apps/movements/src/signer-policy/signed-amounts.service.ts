import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { isoTime, lruCache } from '@ponte/kernel';
import { CLOCK, EVENT_STORE } from '@ponte/nest';
import type { Hex } from '../chain/chain.port';
import type { Signer } from '../signer/signer.port';
import { SIGNER } from '../signer/signer.port';
import { SignedBytes } from './signed-bytes.read-model';
import { HOUR_MS } from './signing-policy';

/** How long what was read is recent enough. */
const FRESH_MS = 1_000;
/** Without other processes, nothing new is found once the read model has caught up after the start. */
const CATCHING_UP_MS = 60_000;
/** Rows of this time are listed again: those of several processes do not appear exactly in the order of their times. */
const LISTED_AGAIN_MS = 10_000;
/** Transactions whose bytes are read and decoded at once. */
const PAGE = 500;
/** More transactions than are signed while rows are listed again. One that is counted again changes nothing. */
const REMEMBERED = 20_000;

/**
 * Counts what other processes have signed, and this one before its last start, towards the hourly limits of the signer.
 * The read model follows the log, so what was signed in the last moments may be missing.
 */
@Injectable()
export class SignedAmounts {
  private readonly counted = lruCache<string, true>(REMEMBERED);
  /** Times of the first and of the last reading, epoch milliseconds. */
  private startedAt: number | undefined;
  private readAt: number | undefined;
  /** Time of the newest row that was counted, epoch milliseconds. */
  private countedUpTo = 0;
  private reading: Promise<void> | undefined;

  constructor(
    private readonly signed: SignedBytes,
    @Inject(SIGNER) private readonly signer: Pick<Signer, 'count'>,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'soleWriter'>,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Call before the signer is asked for new signatures. Rejects when the read model cannot be read. */
  async refresh(): Promise<void> {
    const now = this.clock.now();
    this.startedAt ??= now;
    const isAlone = this.store.soleWriter && now - this.startedAt > CATCHING_UP_MS;
    if (this.readAt !== undefined && (isAlone || now - this.readAt < FRESH_MS)) return;
    this.reading ??= this.read(now).finally(() => {
      this.reading = undefined;
    });
    await this.reading;
  }

  /** Call for a transaction that the signer of this process has counted. */
  noteOwn(transactionId: string): void {
    this.counted.set(transactionId, true);
  }

  private async read(now: number): Promise<void> {
    const from = Math.max(now - HOUR_MS, this.countedUpTo - LISTED_AGAIN_MS);
    const others = (await this.signed.since(isoTime(from))).filter(({ id }) => !this.counted.has(id));
    for (let at = 0; at < others.length; at += PAGE) {
      const page = others.slice(at, at + PAGE);
      for (const { id, raw, signed_at } of await this.signed.bytesOf(page.map((one) => one.id))) {
        this.signer.count(raw as Hex, Math.max(0, now - Date.parse(signed_at)));
        this.counted.set(id, true);
      }
      this.countedUpTo = Math.max(this.countedUpTo, ...page.map((one) => Date.parse(one.signed_at)));
    }
    this.readAt = now;
  }
}
