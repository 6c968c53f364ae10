import type { Dispatcher } from 'undici';
import { Pool } from 'undici';
import { lruCache } from '@ponte/kernel';
import type { TargetRules } from '../../endpoints/target.domain';
import { refusalsOfTarget } from '../../endpoints/target.domain';
import type { OutgoingAnswer, OutgoingHttp, OutgoingRequest } from '../outgoing-http.port';
import { guardedConnector, TargetRefused } from './guarded-connector';
import type { Resolve } from './resolve';
import { resolverFor } from './resolve';

/** The receiver must respond with 200 within 5 s, from the start of the connection to the status line. */
const TOTAL_MS = 5_000;
/** How much of a response body is read so that its connection can be reused. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** How much of a response body is stored for the owner of the endpoint. */
const EXCERPT_BYTES = 1_024;
/**
 * The number of responses whose bodies are read at a time. A delivery ends with the status, so a receiver that never
 * ends its bodies would otherwise hold a connection for each delivery of the last seconds. Further bodies are not read.
 */
export const MAX_BODIES_PER_ORIGIN = 64;
const MAX_BODIES = 1_024;
const MAX_HEADER_BYTES = 16 * 1024;
/** The number of origins with open connection pools. */
const MAX_POOLS = 500;
/** Shorter than common server timeouts, so that no request is sent on a connection that the server is closing. */
const KEEP_ALIVE_MS = 4_000;

export interface UndiciOptions {
  readonly rules: TargetRules;
  readonly totalMs?: number;
  /** Replaces the system's name resolution in tests. */
  readonly resolve?: Resolve;
}

/**
 * The HTTP client for webhooks. It follows no redirects. The URL is checked before each attempt, and the addresses
 * whenever a connection is opened. It does not limit the connections per endpoint; the dispatcher does.
 */
export function undiciHttp({ rules, totalMs = TOTAL_MS, resolve = resolverFor(rules) }: UndiciOptions): OutgoingHttp {
  const connect = guardedConnector({ rules, resolve, timeoutMs: totalMs });
  const pools = lruCache<string, Pool>(MAX_POOLS, {
    dispose: (pool, _origin, reason) => {
      if (reason === 'evict') pool.close().catch(() => undefined);
    },
  });

  /** How many bodies are being read, by origin. */
  const reading = new Map<string, number>();
  let all = 0;
  const count = (origin: string, change: 1 | -1): void => {
    const now = (reading.get(origin) ?? 0) + change;
    all += change;
    if (now === 0) reading.delete(origin);
    else reading.set(origin, now);
  };
  const read = (origin: string, body: Dispatcher.ResponseData['body']): Promise<string> => {
    if (all >= MAX_BODIES || (reading.get(origin) ?? 0) >= MAX_BODIES_PER_ORIGIN) return unread(body);
    count(origin, 1);
    return excerptOf(body).finally(() => count(origin, -1));
  };

  const poolOf = (origin: string): Pool => {
    const held = pools.get(origin);
    if (held) return held;
    const pool = new Pool(origin, {
      connect,
      headersTimeout: totalMs,
      bodyTimeout: totalMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      pipelining: 1,
    });
    pools.set(origin, pool);
    return pool;
  };

  return {
    async post(request: OutgoingRequest): Promise<OutgoingAnswer> {
      if (!URL.canParse(request.url)) return REFUSED;
      const url = new URL(request.url);
      if (refusalsOfTarget(url, rules).length > 0) return REFUSED;
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), totalMs);
      try {
        const answer = await poolOf(url.origin).request({
          method: 'POST',
          path: `${url.pathname}${url.search}`,
          headers: request.headers,
          body: request.body,
          signal: late.signal,
        });
        // The status decides the outcome, so the delivery does not wait for the body, which is read within the same
        // time limit.
        const excerpt = read(url.origin, answer.body).finally(() => clearTimeout(timer));
        const retryAfter = answer.headers['retry-after'];
        return {
          kind: 'answered',
          status: answer.statusCode,
          retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
          excerpt,
        };
      } catch (error) {
        clearTimeout(timer);
        if (error instanceof TargetRefused) return REFUSED;
        return { kind: 'failed', reason: late.signal.aborted || isTimeout(error) ? 'timed-out' : 'connection-failed' };
      }
    },
    async close() {
      await Promise.allSettled([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

/** Reads a body to its end, keeps the first kilobyte, and aborts a body that is too long. */
const excerptOf = (body: Dispatcher.ResponseData['body']): Promise<string> =>
  new Promise((resolve) => {
    const kept: Buffer[] = [];
    let size = 0;
    body.on('data', (part: Buffer) => {
      if (size < EXCERPT_BYTES) kept.push(part.subarray(0, EXCERPT_BYTES - size));
      size += part.length;
      if (size > MAX_ANSWER_BYTES) body.destroy();
    });
    body.on('error', () => undefined);
    body.once('close', () => resolve(Buffer.concat(kept).toString('utf8')));
  });

/** Closes the connection of a body without reading it. */
const unread = async (body: Dispatcher.ResponseData['body']): Promise<string> => {
  body.on('error', () => undefined);
  body.destroy();
  return '';
};

const REFUSED: OutgoingAnswer = { kind: 'failed', reason: 'target-refused' };
const TIMEOUTS: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && TIMEOUTS.has((error as Error & { code?: unknown }).code);
