import type { TokenAnswer, TokenRequest } from '@ponte/event-sourcing';
import { LocalBuckets, untilNext } from '@ponte/concurrency';
import { safeError } from '@ponte/event-sourcing';
import type { Postgres } from '../postgres';

/** The level at the time of the request, as an expression over the row `b`. */
const LEVEL = 'least($3::float8, b.tokens + greatest(0, $5::bigint - b.at_ms) * $4::float8 / 1000)';
/** What requests that take $6 tokens each get of $2 tokens in all. Both are negative if they give tokens back. */
const granted = (level: string): string => `$6::float8 * floor(least($2::float8, ${level}) / $6::float8)`;
/** Takes up to $2 tokens, for as many whole requests as the bucket can serve. */
const TAKE = `
  INSERT INTO buckets AS b (bucket, tokens, at_ms, full_at_ms, granted)
  VALUES ($1, least($3::float8, $3::float8 - ${granted('$3::float8')}), $5::bigint,
    $5::bigint + ceil($3::float8 / $4::float8 * 1000), ${granted('$3::float8')})
  ON CONFLICT (bucket) DO UPDATE SET
    tokens = least($3::float8, ${LEVEL} - ${granted(LEVEL)}), granted = ${granted(LEVEL)},
    at_ms = greatest(b.at_ms, $5::bigint),
      full_at_ms = greatest(b.at_ms, $5::bigint) + ceil($3::float8 / $4::float8 * 1000)
  RETURNING tokens, granted`;
const SWEEP = 'DELETE FROM buckets WHERE full_at_ms < $1';

/**
 * How long each replica counts for itself after the database did not answer, in milliseconds, because waiting for it
 * delays the callers.
 */
const APART_MS = 1_000;

/** How many tokens a request takes; a peek is answered with those that take one. */
const sizeOf = ({ tokens = 1 }: TokenRequest): number => tokens;

interface WaitingRequest {
  readonly request: TokenRequest;
  readonly settle: (answer: TokenAnswer) => void;
}
interface KnownBucket {
  /** True while a statement is in progress. */
  asking: boolean;
  /** Requests that arrived during a statement. The next statement serves all of them. */
  waiting: WaitingRequest[];
  /** The bucket has no token before this time: other replicas give none back to a bucket of single tokens. */
  emptyUntilMs: number;
  tokens: number;
}

const MAX_KNOWN = 100_000;

/**
 * Buckets that all replicas share. One statement serves all concurrent requests of a bucket, and none is needed while
 * the bucket is known to be empty. A crash of the server may lose the row (the table is unlogged); the bucket is then
 * full.
 */
export class PostgresBuckets {
  private readonly known = new Map<string, KnownBucket>();
  private readonly own = new LocalBuckets();
  private apartUntil = 0;

  constructor(private readonly postgres: Postgres) {}

  take(request: TokenRequest): TokenAnswer | Promise<TokenAnswer> {
    if (performance.now() < this.apartUntil) return this.own.take(request);
    const known = this.known.get(request.bucket);
    if (known && sizeOf(request) === 1 && request.nowMs < known.emptyUntilMs)
      return { allowed: false, tokens: known.tokens, retryAfterMs: known.emptyUntilMs - request.nowMs };
    return new Promise((settle) => {
      const running = this.running(request.bucket);
      running.waiting.push({ request, settle });
      if (!running.asking) void this.ask(request.bucket, running);
    });
  }

  async sweep(nowMs: number): Promise<void> {
    for (const [name, { asking, emptyUntilMs }] of this.known)
      if (!asking && emptyUntilMs <= nowMs) this.known.delete(name);
    await this.postgres.query(SWEEP, [nowMs]);
  }

  private running(name: string): KnownBucket {
    const found = this.known.get(name);
    if (found) return found;
    const made = { asking: false, waiting: [], emptyUntilMs: 0, tokens: 0 };
    if (this.known.size < MAX_KNOWN) this.known.set(name, made);
    return made;
  }

  private async ask(name: string, known: KnownBucket): Promise<void> {
    known.asking = true;
    for (let batch = known.waiting.splice(0); batch.length > 0; batch = known.waiting.splice(0))
      for (const size of new Set(batch.map(({ request }) => sizeOf(request))))
        await this.settle(
          name,
          known,
          batch.filter(({ request }) => sizeOf(request) === size),
        );
    known.asking = false;
  }

  private async settle(name: string, known: KnownBucket, batch: readonly WaitingRequest[]): Promise<void> {
    const [{ request: first }] = batch as [WaitingRequest];
    const { capacity, perSecond } = first;
    const size = sizeOf(first);
    const nowMs = Math.max(...batch.map(({ request }) => request.nowMs));
    const takers = batch.filter(({ request }) => !request.peek);
    try {
      const [row] = await this.postgres.query<{ tokens: number; granted: number }>(
        TAKE,
        [name, takers.length * size, capacity, perSecond, nowMs, size],
        0,
      );
      const { tokens, granted } = row ?? { tokens: 0, granted: 0 };
      known.tokens = tokens;
      known.emptyUntilMs = tokens < 1 ? nowMs + untilNext(tokens, perSecond) : 0;
      const retryAfterMs = untilNext(tokens, perSecond, size);
      for (const { request, settle } of batch) if (request.peek) settle({ allowed: tokens >= 1, tokens, retryAfterMs });
      const served = granted / size;
      takers.forEach(({ settle }, at) =>
        settle({
          allowed: at < served,
          tokens: Math.min(capacity, tokens + Math.max(0, served - at - 1) * size),
          retryAfterMs,
        }),
      );
    } catch (error) {
      this.apartUntil = performance.now() + APART_MS;
      this.postgres.options.logger.warn(
        { error: safeError(error) },
        'the database is not responding, so each replica limits rates on its own',
      );
      for (const { request, settle } of batch) settle(this.own.take(request));
    }
  }
}
