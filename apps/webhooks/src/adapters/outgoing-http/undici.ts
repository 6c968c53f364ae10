import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import type { OutgoingAnswer, OutgoingHttp, OutgoingRequest } from '../../ports/outgoing-http';

/** Contract §12: delivered means 200 within 5 s, from the first byte of the connection to the status line. */
export const TOTAL_MS = 5_000;
/** What is read of an answer so that its connection can be used again; nobody looks at it. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** Origins whose connections are kept. */
const MAX_POOLS = 500;
/** Shorter than what servers commonly keep, so that a request does not meet a connection that is being closed. */
const KEEP_ALIVE_MS = 4_000;

export interface UndiciOptions {
  /** The sandbox alone sends without TLS. */
  readonly plainHttpAllowed: boolean;
  readonly totalMs?: number;
}

/** `undici.request` follows no redirect. How many connections an endpoint may have is the dispatcher's business. */
export function undiciHttp({ plainHttpAllowed, totalMs = TOTAL_MS }: UndiciOptions): OutgoingHttp {
  const pools = new LRUCache<string, Pool>({
    max: MAX_POOLS,
    dispose: (pool, _origin, reason) => { if (reason === 'evict') pool.close().catch(() => undefined); },
  });

  const poolOf = (origin: string): Pool => {
    const held = pools.get(origin);
    if (held) return held;
    const pool = new Pool(origin, {
      connectTimeout: totalMs, headersTimeout: totalMs, bodyTimeout: totalMs,
      keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: MAX_HEADER_BYTES, pipelining: 1,
    });
    pools.set(origin, pool);
    return pool;
  };

  return {
    async post(request: OutgoingRequest): Promise<OutgoingAnswer> {
      const url = new URL(request.url);
      if (url.protocol !== 'https:' && !plainHttpAllowed) return { kind: 'failed', reason: 'connection-failed' };
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(), totalMs);
      try {
        const answer = await poolOf(url.origin).request({
          method: 'POST', path: `${url.pathname}${url.search}`, headers: request.headers, body: request.body, signal: late.signal,
        });
        // The status line decides. What follows is thrown away within the same time, and nobody waits for it.
        void answer.body.dump({ limit: MAX_ANSWER_BYTES, signal: late.signal }).catch(() => undefined).finally(() => clearTimeout(timer));
        const retryAfter = answer.headers['retry-after'];
        return { kind: 'answered', status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null };
      } catch (error) {
        clearTimeout(timer);
        return { kind: 'failed', reason: late.signal.aborted || isTimeout(error) ? 'timed-out' : 'connection-failed' };
      }
    },
    async close() {
      await Promise.allSettled([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

const TIMEOUTS: ReadonlySet<unknown> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

const isTimeout = (error: unknown): boolean => error instanceof Error && TIMEOUTS.has((error as Error & { code?: unknown }).code);
