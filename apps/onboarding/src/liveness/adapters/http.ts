import { isoTime, parseInstant, Unavailable } from '@ponte/kernel';
import type { Dispatcher } from 'undici';
import type { LivenessVendorSettings } from '../../checks.vendors';
import type { Liveness, LivenessNotice, LivenessNotices, LivenessOutcome, LivenessResult } from '../liveness.port';
import type { CallbackRoute } from '../../vendor/adapters/callback-server';
import { BadCallback } from '../../vendor/adapters/callback-server';
import { fieldAt, textAt } from '../../vendor/adapters/json-fields';
import { callVendor, VendorFailed } from '../../vendor/adapters/vendor-call';

export interface HttpLivenessOptions {
  readonly vendors: readonly LivenessVendorSettings[];
  readonly timeoutMs: number;
  /** System time, in milliseconds: for words that carry none. */
  readonly now: () => number;
  /** Told why a provider could not be asked, in words that name no one. */
  readonly warn: (provider: string, reason: string) => void;
  readonly dispatcher?: Dispatcher;
}

const RETRY_SECONDS = 5;
/** Epoch values below this are seconds (the year 5138), above it milliseconds. */
const SECONDS_LIMIT = 100_000_000_000;

/**
 * Providers behind HTTP: a GET for each session, and a door for their callbacks. One that is not configured has decided
 * nothing: people look.
 */
export class HttpLiveness implements Liveness, LivenessNotices {
  private readonly vendors: ReadonlyMap<string, LivenessVendorSettings>;
  private listener: ((notice: LivenessNotice) => Promise<void>) | undefined;

  constructor(private readonly options: HttpLivenessOptions) {
    this.vendors = new Map(options.vendors.map((vendor) => [vendor.name, vendor]));
  }

  async resultOf({ provider, id }: { readonly provider: string; readonly id: string }): Promise<LivenessResult> {
    const { timeoutMs, dispatcher, warn } = this.options;
    const vendor = this.vendors.get(provider);
    if (!vendor) return this.undecided('not-configured');
    try {
      // A function as replacement: an id may hold what replace() reads as a pattern.
      const url = vendor.resultUrl.replace('{id}', () => encodeURIComponent(id));
      const { status, body } = await callVendor({ method: 'GET', url, headers: vendor.headers, timeoutMs, dispatcher });
      // The provider may know the session later than we do.
      return status === 200 ? this.read(vendor, body) : this.undecided('unknown-session');
    } catch (error) {
      if (!(error instanceof VendorFailed)) throw error;
      warn(provider, error.message);
      throw new Unavailable('service-unavailable', undefined, RETRY_SECONDS);
    }
  }

  listen(listener: (notice: LivenessNotice) => Promise<void>): void {
    this.listener = listener;
  }

  /** A door for each provider that sends, at `<prefix>/<its name>`. */
  routes(prefix: string): readonly CallbackRoute[] {
    return [...this.vendors.values()].flatMap((vendor) =>
      vendor.callback
        ? [
            {
              path: `${prefix}/${vendor.name}`,
              signature: vendor.callback,
              receive: (body: unknown) => this.receive(vendor, body),
            },
          ]
        : [],
    );
  }

  /** Before the service is up the vendor has to send again. */
  private listening(): (notice: LivenessNotice) => Promise<void> {
    if (!this.listener) throw new Error('no one listens as yet');
    return this.listener;
  }

  private async receive(vendor: LivenessVendorSettings, body: unknown): Promise<void> {
    const sessionId = textAt(body, vendor.fields['session-id']);
    if (sessionId === undefined || textAt(body, vendor.fields['event-id']) === undefined)
      throw new BadCallback('the callback names no session or no event');
    let result: LivenessResult;
    try {
      result = this.read(vendor, body);
    } catch (error) {
      throw error instanceof VendorFailed ? new BadCallback(error.message) : error;
    }
    await this.listening()({ provider: vendor.name, sessionId, ...result });
  }

  private read({ fields, passed, failed }: LivenessVendorSettings, body: unknown): LivenessResult {
    const word = textAt(body, fields.outcome)?.toLowerCase();
    if (word === undefined) throw new VendorFailed('the answer has no outcome');
    const outcome: LivenessOutcome = passed.includes(word) ? 'passed' : failed.includes(word) ? 'failed' : 'pending';
    const decidedAt = isoTime(this.timeOf(fieldAt(body, fields['decided-at'])));
    return { outcome, providerEventId: textAt(body, fields['event-id']) ?? `${outcome}:${decidedAt}`, decidedAt };
  }

  /** Never later than now: a provider's wrong clock must not make its word the last for ever. */
  private timeOf(value: unknown): number {
    const now = this.options.now();
    if (value === undefined || value === null) return now;
    const time =
      typeof value === 'number' && value > 0
        ? Math.floor(value < SECONDS_LIMIT ? value * 1000 : value)
        : parseInstant(String(value));
    if (time === undefined || !Number.isSafeInteger(time)) throw new VendorFailed('the answer has an invalid time');
    return Math.min(now, time);
  }

  private undecided(reason: string): LivenessResult {
    return { outcome: 'pending', providerEventId: reason, decidedAt: isoTime(this.options.now()) };
  }
}
