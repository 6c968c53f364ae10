import { isoTime, parseInstant, Unavailable } from '@ponte/kernel';
import { BadCallback } from '@ponte/nest';
import type { Dispatcher } from 'undici';
import type { LivenessVendorSettings } from '../../checks.vendors';
import type { Liveness, LivenessNotice, LivenessNotices, LivenessOutcome, LivenessResult } from '../liveness.port';
import type { VendorRoute } from '../../vendor/adapters/callback-server';
import { fieldAt, textAt } from '../../vendor/adapters/json-fields';
import { callVendor, VendorFailed } from '../../vendor/adapters/vendor-call';

interface HttpLivenessOptions {
  readonly vendors: readonly LivenessVendorSettings[];
  readonly timeoutMs: number;
  /** System time in milliseconds, used for results without a time. */
  readonly now: () => number;
  /** Receives the reason why a provider could not be asked. The reason contains no personal data. */
  readonly warn: (provider: string, reason: string) => void;
  readonly dispatcher?: Dispatcher;
}

const RETRY_SECONDS = 5;
/** A URL parser resolves these path segments even when they are percent-encoded, so they would change the address. */
const STEPS: ReadonlySet<string> = new Set(['.', '..']);
/** Epoch values below this (the year 5138) are seconds; others are milliseconds. */
const SECONDS_LIMIT = 100_000_000_000;

/**
 * Providers over HTTP: a GET for each session, and a route for their callbacks. A session of a provider that is not
 * configured stays pending, so that staff review it.
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
    if (STEPS.has(id)) return this.undecided('unknown-session');
    try {
      // The replacement is a function because an id may contain patterns that replace() interprets.
      const url = vendor.resultUrl.replace('{id}', () => encodeURIComponent(id));
      const { status, body } = await callVendor({ method: 'GET', url, headers: vendor.headers, timeoutMs, dispatcher });
      // The provider may learn of the session later than we do. A mistake in `resultUrl` would look the same to us.
      if (status >= 400 && status !== 404) warn(provider, `the vendor responded with ${status}`);
      if (status !== 200) return this.undecided('unknown-session');
      // Another spelling of the id would hide that two requests share the session: we compare ids as they were sent.
      const answered = textAt(body, vendor.fields['session-id']);
      return answered === undefined || answered === id ? this.read(vendor, body) : this.undecided('unknown-session');
    } catch (error) {
      if (!(error instanceof VendorFailed)) throw error;
      warn(provider, error.message);
      throw new Unavailable('service-unavailable', undefined, RETRY_SECONDS);
    }
  }

  listen(listener: (notice: LivenessNotice) => Promise<void>): void {
    this.listener = listener;
  }

  /** A callback route at `<prefix>/<provider name>` for each provider that sends callbacks. */
  routes(prefix: string): readonly VendorRoute[] {
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

  /** Before the service is up, callbacks fail, so that the vendor resends them. */
  private listening(): (notice: LivenessNotice) => Promise<void> {
    if (!this.listener) throw new Error('the service is not ready for callbacks yet');
    return this.listener;
  }

  private async receive(vendor: LivenessVendorSettings, body: unknown): Promise<void> {
    const sessionId = textAt(body, vendor.fields['session-id']);
    if (sessionId === undefined || textAt(body, vendor.fields['event-id']) === undefined)
      throw new BadCallback('the callback has no session id or no event id');
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
    if (word === undefined) throw new VendorFailed('the response has no outcome');
    const outcome: LivenessOutcome = passed.includes(word) ? 'passed' : failed.includes(word) ? 'failed' : 'pending';
    const decidedAt = isoTime(this.timeOf(fieldAt(body, fields['decided-at'])));
    return { outcome, providerEventId: textAt(body, fields['event-id']) ?? `${outcome}:${decidedAt}`, decidedAt };
  }

  /** Never later than now. Otherwise a result dated in the future by a wrong clock could never be replaced. */
  private timeOf(value: unknown): number {
    const now = this.options.now();
    if (value === undefined || value === null) return now;
    const time =
      typeof value === 'number' && value > 0
        ? Math.floor(value < SECONDS_LIMIT ? value * 1000 : value)
        : parseInstant(String(value));
    if (time === undefined || !Number.isSafeInteger(time)) throw new VendorFailed('the response has an invalid time');
    return Math.min(now, time);
  }

  private undecided(reason: string): LivenessResult {
    return { outcome: 'pending', providerEventId: reason, decidedAt: isoTime(this.options.now()) };
  }
}
