import type { Dispatcher } from 'undici';
import { request } from 'undici';
import { parseInstant, Rate, readBody, Refusal } from '@ponte/kernel';
import type { Observation } from '../market/market.domain';
import type { RateSource } from './rate-source.port';
import type { JsonPath } from './json-path';
import { atPath } from './json-path';

export interface HttpFeedOptions {
  readonly url: string;
  /** Sent with every request, for example with a provider's key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The path of the rate in the JSON: a decimal text or a number. */
  readonly path: JsonPath;
  /** The path of the ask. `path` is then the bid, and the rate is the mean of the two. */
  readonly askPath?: JsonPath;
  /** The path of the time: RFC 3339 with an offset, or an epoch. Default: the time of the response. */
  readonly timePath?: JsonPath;
  readonly base: string;
  readonly quote: string;
  /** A rate outside these bounds means that the feed is broken. */
  readonly plausible: { readonly min: Rate; readonly max: Rate };
  /** The time-out of the whole exchange. */
  readonly timeoutMs: number;
  readonly now: () => number;
  readonly dispatcher?: Dispatcher;
}

/** The response has no usable rate. The message is safe to log: it has no URL, which may contain a key. */
class BadFeed extends Error {
  override readonly name = 'BadFeed';
}

/** The largest accepted response. A response with a rate takes far less. */
const MAX_BODY_BYTES = 65_536;
/** Epoch values below this are seconds (until the year 5138), larger ones milliseconds. */
const SECONDS_LIMIT = 100_000_000_000;

/** One rate from one URL. Keeps the last good value with its time when a later poll fails. */
export class HttpFeed implements RateSource {
  private last: Observation | undefined;
  /** The time of the last value as the feed stated it, which may be ahead of ours; undefined without a time path. */
  private lastStated: number | undefined;

  constructor(private readonly options: HttpFeedOptions) {}

  latest(): Observation | undefined {
    return this.last;
  }

  /** Polls once. Throws if the response is unusable; the last good value is then kept. */
  async poll(signal: AbortSignal): Promise<void> {
    const document = parseJson(await this.fetch(signal));
    const now = this.options.now();
    const stated = this.timeOf(document);
    const known = this.last?.observedAt;
    // Otherwise a feed that has stopped, and whose clock runs ahead, would be new at each poll until that time.
    const isRepeated = stated !== undefined && stated === this.lastStated && known !== undefined && known <= now;
    const observation = { ...this.quoted(document), observedAt: isRepeated ? known : Math.min(now, stated ?? now) };
    // A response from a cache behind the feed may be older than the known value. A known value from the future was read
    // before the clock was set back.
    if (known !== undefined && known <= now && observation.observedAt < known) return;
    this.last = observation;
    this.lastStated = stated;
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
      // Cancelling a body early emits an error that no other code would handle.
      response.body.on('error', () => undefined).destroy();
      throw new BadFeed(`the feed responded with status ${response.statusCode}`);
    }
    const body = await readBody(response.body as AsyncIterable<Buffer>, MAX_BODY_BYTES);
    if (!body) throw new BadFeed('the response of the feed is too large');
    return body.toString('utf8');
  }

  private quoted(document: unknown): Pick<Observation, 'rate' | 'spreadBps'> {
    const { path, askPath, base, quote } = this.options;
    const bid = this.rateOf(document, path);
    if (askPath === undefined) return { rate: bid };
    const ask = this.rateOf(document, askPath);
    if (ask.scaled < bid.scaled) throw new BadFeed('the feed reported an ask below its bid');
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
    if (rate === undefined) throw new BadFeed('the feed reported a value that is not a rate');
    if (rate.scaled < plausible.min.scaled || rate.scaled > plausible.max.scaled)
      throw new BadFeed('the feed reported a rate outside the plausible range');
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
      throw new BadFeed('the feed has no time at the configured path: RFC 3339 with an offset or an epoch is accepted');
    return time;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new BadFeed('the response of the feed is not JSON');
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
