import type { EdgeState, TokenRequest } from '@ponte/event-sourcing';
import type { Allowance } from './token-buckets';
import { TokenBuckets } from './token-buckets';

const limits = { writesPerSecond: 20, writeBurst: 60, readsPerSecond: 50, readBurst: 150 };

/** Grants what the test sets, at once or later, and records the requests. */
function buckets(tokens: number, later: boolean) {
  const requests: TokenRequest[] = [];
  const edge: Pick<EdgeState, 'takeToken'> = {
    takeToken: (request) => {
      requests.push(request);
      const answer = { allowed: tokens >= 1, tokens: Math.max(0, tokens - 1), retryAfterMs: tokens >= 2 ? 0 : 2_001 };
      return later ? Promise.resolve(answer) : answer;
    },
  };
  return { requests, buckets: new TokenBuckets({ rateLimits: limits }, edge, { now: () => 7 }) };
}

describe('token buckets', () => {
  it('writes 20/s burst 60, reads 50/s burst 150, apart from each other and from other keys', () => {
    const { requests, buckets: one } = buckets(5, false);
    for (const [key, write] of [
      ['k', true],
      ['k', false],
      ['other', true],
    ] as const)
      one.take(key, write, null);
    expect(requests.map(({ capacity, perSecond, nowMs }) => [capacity, perSecond, nowMs])).toEqual([
      [60, 20, 7],
      [150, 50, 7],
      [60, 20, 7],
    ]);
    expect(new Set(requests.map(({ bucket }) => bucket)).size).toBe(3);
  });

  it('a key may have limits of its own', () => {
    const { requests, buckets: one } = buckets(5, false);
    void one.take('k', true, { writesPerSecond: 1, writeBurst: 2, readsPerSecond: 3, readBurst: 4 });
    expect(requests[0]).toMatchObject({ capacity: 2, perSecond: 1 });
  });

  it.each([[false], [true]])(
    'what the headers say: whole tokens, seconds until full, seconds until the next (later: %s)',
    async (later) => {
      expect(await buckets(0, later).buckets.take('k', true, null)).toEqual<Allowance>({
        allowed: false,
        limit: 60,
        remaining: 0,
        resetSeconds: 3,
        retryAfterSeconds: 3,
      });
      expect(await buckets(31.5, later).buckets.take('k', false, null)).toEqual<Allowance>({
        allowed: true,
        limit: 150,
        remaining: 30,
        resetSeconds: 3,
        retryAfterSeconds: 1,
      });
    },
  );
});
