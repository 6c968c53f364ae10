import type { Dispatcher } from 'undici';
import { request } from 'undici';
import { parseInstant, Rate, readBody, Refusal } from '@ponte/kernel';
import type { Observation } from '../market/market.domain';
import type { RateSource } from './rate-source.port';
import type { JsonPath } from './json-path';
import { atPath } from './json-path';

export interface HttpFeedOptions {
  readonly url: string;
  /** Sent with every request, for a provider's key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where in the JSON the rate is: a decimal text or a number. */
  readonly path: JsonPath;
  /** Where the ask is; `path` is then the bid, and the rate is the mean of the two. */
  readonly askPath?: JsonPath;
  /**
   * Where the time of the rate is, RFC 3339 or epoch seconds or milliseconds; without it the time of the answer counts.
   */
  readonly timePath?: JsonPath;
  readonly base: string;
  readonly quote: string;
  /** What lies outside is a broken feed, not a market. */
  readonly plausible: { readonly least: Rate; readonly most: Rate };
  /** For the whole exchange. */
  readonly timeoutMs: number;
  readonly now: () => number;
  readonly dispatcher?: Dispatcher;
}

/** The answer was no rate; the reason is safe to log (no URL, which may carry a key). */
export class BadFeed extends Error {
  override readonly name = 'BadFeed';
}

/** A rate is some bytes; more than this is something else. */
const MAX_BODY_BYTES = 65_536;
/** Epoch values below this are seconds (the year 5138), above it milliseconds. */
const SECONDS_LIMIT = 100_000_000_000;

/** One rate behind one URL. Keeps the last good value with its time, whatever comes after it. */
export class HttpFeed implements RateSource {
  private last: Observation | undefined;

  constructor(private readonly options: HttpFeedOptions) {}

  latest(): Observation | undefined {
    return this.last;
  }

  /** Polls once. Throws when the answer is unusable; the last good value then stays. */
  async poll(signal: AbortSignal): Promise<void> {
    const document = parseJson(await this.fetch(signal));
    const now = this.options.now();
    const observation = { ...this.quoted(document), observedAt: Math.min(now, this.timeOf(document) ?? now) };
    // An answer from a cache behind the feed may be older than what is known.
    if (this.last === undefined || observation.observedAt >= this.last.observedAt) this.last = observation;
  }

  private async fetch(signal: AbortSignal): Promise<string> {
    const { url, headers, timeoutMs, dispatcher } = this.options;
    const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await request(url, {
      headers: { accept: 'application/json', ...headers },
      signal: ending,
      ...(dispatcher ? { dispatcher } : {}),
    });
    if (response.statusCode !== 200) {
      // Cancelling a body early rejects, and no other code would handle that.
      response.body.on('error', () => undefined).destroy();
      throw new BadFeed(`the feed answered ${response.statusCode}`);
    }
    const body = await readBody(response.body as AsyncIterable<Buffer>, MAX_BODY_BYTES);
    if (!body) throw new BadFeed('the feed answered too much');
    return body.toString('utf8');
  }

  private quoted(document: unknown): Pick<Observation, 'rate' | 'spreadBps'> {
    const { path, askPath, base, quote } = this.options;
    const bid = this.rateOf(document, path);
    if (askPath === undefined) return { rate: bid };
    const ask = this.rateOf(document, askPath);
    if (ask.scaled < bid.scaled) throw new BadFeed('the feed gave an ask below its bid');
    const mid = (bid.scaled + ask.scaled) / 2n;
    return {
      rate: Rate.of(base, quote, mid),
      spreadBps: Number(((ask.scaled - bid.scaled) * 10_000n + mid - 1n) / mid),
    };
  }

  private rateOf(document: unknown, path: JsonPath): Rate {
    const value = atPath(document, path);
    if (typeof value !== 'string' && typeof value !== 'number')
      throw new BadFeed('the feed has no rate at the configured path');
    const { base, quote, plausible } = this.options;
    const rate = rateOrUndefined(base, quote, String(value));
    if (rate === undefined) throw new BadFeed('the feed gave something that is no rate');
    if (rate.scaled < plausible.least.scaled || rate.scaled > plausible.most.scaled)
      throw new BadFeed('the feed gave a rate that cannot be');
    return rate;
  }

  private timeOf(document: unknown): number | undefined {
    if (this.options.timePath === undefined) return undefined;
    const value = atPath(document, this.options.timePath);
    const time =
      typeof value === 'number' && value > 0
        ? Math.floor(value < SECONDS_LIMIT ? value * 1000 : value)
        : parseInstant(String(value));
    if (time === undefined || !Number.isSafeInteger(time))
      throw new BadFeed('the feed has no time at the configured path');
    return time;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadFeed('the feed gave no JSON');
  }
}

function rateOrUndefined(base: string, quote: string, text: string): Rate | undefined {
  try {
    return Rate.parse(base, quote, text);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
