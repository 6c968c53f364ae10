import type { FastifyReply } from 'fastify';
import type { EdgeState, TokenRequest } from '@ponte/event-sourcing';
import { RateLimiter } from './rate-limiter.service';

const limits = { writesPerSecond: 20, writeBurst: 60, readsPerSecond: 50, readBurst: 150 };

/** Returns the tokens that the test sets, at once or later, and records the requests. */
function limiter(tokens: number, later: boolean) {
  const requests: TokenRequest[] = [];
  const edge: Pick<EdgeState, 'takeToken'> = {
    takeToken: (request) => {
      requests.push(request);
      const answer = { allowed: tokens >= 1, tokens: Math.max(0, tokens - 1), retryAfterMs: tokens >= 2 ? 0 : 2_001 };
      return later ? Promise.resolve(answer) : answer;
    },
  };
  const one = new RateLimiter(
    { rateLimits: limits },
    edge,
    { now: () => 7 },
    { find: async () => null, knows: () => false },
  );
  /** The headers of the response, including those of a refusal. */
  const take = async (keyId: string, write: boolean, rateLimits: typeof limits | null = null) => {
    const headers: Record<string, unknown> = {};
    const reply = {
      header: (name: string, value: unknown) => {
        headers[name] = value;
        return reply;
      },
    };
    try {
      await one.take(reply as unknown as FastifyReply, { keyId, rateLimits }, write);
      return headers;
    } catch (error) {
      const { definition, headers: own } = error as { definition: { code: string }; headers: object };
      return { ...headers, ...own, code: definition.code };
    }
  };
  return { requests, take };
}

describe('the rate limiter', () => {
  it('has separate buckets per key for writes (20/s, burst 60) and reads (50/s, burst 150)', () => {
    const { requests, take } = limiter(5, false);
    for (const [key, write] of [
      ['k', true],
      ['k', false],
      ['other', true],
    ] as const)
      void take(key, write);
    expect(requests.map(({ capacity, perSecond, nowMs }) => [capacity, perSecond, nowMs])).toEqual([
      [60, 20, 7],
      [150, 50, 7],
      [60, 20, 7],
    ]);
    expect(new Set(requests.map(({ bucket }) => bucket)).size).toBe(3);
  });

  it('uses the own limits of a key', () => {
    const { requests, take } = limiter(5, false);
    void take('k', true, { writesPerSecond: 1, writeBurst: 2, readsPerSecond: 3, readBurst: 4 });
    expect(requests[0]).toMatchObject({ capacity: 2, perSecond: 1 });
  });

  it.each([[false], [true]])(
    'returns whole tokens, seconds until full and seconds until the next token (answered later: %s)',
    async (later) => {
      expect(await limiter(0, later).take('k', true)).toEqual({
        code: 'rate-limited',
        'ratelimit-limit': 60,
        'ratelimit-remaining': 0,
        'ratelimit-reset': 3,
        'retry-after': '3',
      });
      expect(await limiter(31.5, later).take('k', false)).toEqual({
        'ratelimit-limit': 150,
        'ratelimit-remaining': 30,
        'ratelimit-reset': 3,
      });
    },
  );
});
