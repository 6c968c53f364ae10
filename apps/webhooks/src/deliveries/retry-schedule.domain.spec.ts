import fc from 'fast-check';
import { addSeconds, fromIso } from '@ponte/kernel';
import {
  DELAYS_SECONDS,
  FAILING_LIMIT_SECONDS,
  IDLE_SECONDS,
  jitterOf,
  JITTER_PERMILLE,
  nextAttemptAt,
  orderWaitEnds,
  retryAfterSeconds,
} from './retry-schedule.domain';

const NOW = '2026-03-02T12:00:00.000Z';

describe('the retry schedule', () => {
  it('is 0 s, 10 s, 30 s, 2 m, 5 m, 15 m, 30 m, 1 h, 3 h, 6 h, 12 h, 24 h, 24 h, 24 h', () => {
    expect(DELAYS_SECONDS).toEqual([
      0, 10, 30, 120, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 86_400, 86_400,
    ]);
  });

  it('counts each delay from the end of the previous attempt', () => {
    expect(DELAYS_SECONDS.map((_, at) => nextAttemptAt(at + 1, NOW, 0, null))).toEqual([
      ...DELAYS_SECONDS.slice(1).map((seconds) => addSeconds(NOW, seconds)),
      null,
    ]);
  });

  it('honours Retry-After when it is longer than the delay, up to a day, but adds no attempt', () => {
    expect(nextAttemptAt(1, NOW, 0, 45)).toBe(addSeconds(NOW, 45));
    expect(nextAttemptAt(1, NOW, 0, 3)).toBe(addSeconds(NOW, 10));
    expect(nextAttemptAt(1, NOW, 0, 999_999_999)).toBe(addSeconds(NOW, 86_400));
    expect(nextAttemptAt(14, NOW, 0, 45)).toBeNull();
  });

  it('adds a jitter of at most 10 %, which is always the same for the same attempt', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 1, max: 13 }), (id, attempt) => {
        const jitter = jitterOf(id, attempt);
        expect(jitterOf(id, attempt)).toBe(jitter);
        expect(Math.abs(jitter)).toBeLessThanOrEqual(JITTER_PERMILLE);
        const waited = fromIso(nextAttemptAt(attempt, NOW, jitter, null) ?? '') - fromIso(NOW);
        const delay = (DELAYS_SECONDS[attempt] ?? 0) * 1000;
        expect(Math.abs(waited - delay)).toBeLessThanOrEqual(delay / 10);
      }),
    );
    const drawn = new Set(Array.from({ length: 500 }, (_, at) => jitterOf(`delivery-${at}`, 1)));
    expect(drawn.size).toBeGreaterThan(150);
    expect([100, -100].map((jitter) => nextAttemptAt(4, NOW, jitter, null))).toEqual([
      addSeconds(NOW, 330),
      addSeconds(NOW, 270),
    ]);
  });

  it('accepts Retry-After only as seconds or as an HTTP date', () => {
    const now = fromIso(NOW);
    expect(retryAfterSeconds('120', now)).toBe(120);
    expect(retryAfterSeconds('Mon, 02 Mar 2026 12:01:30 GMT', now)).toBe(90);
    expect(retryAfterSeconds('Mon, 02 Mar 2026 11:00:00 GMT', now)).toBe(0);
    for (const other of [
      null,
      '',
      '-5',
      '1.5',
      '1e9',
      'soon',
      '2026-03-02T12:01:30Z',
      '9'.repeat(40),
      'x Mon, 02 Mar 2026 12:01:30 GMT',
    ])
      expect(retryAfterSeconds(other, now)).toBeNull();
  });

  it('lets an endpoint fail for 120 h, which 48 h without an attempt start again', () => {
    expect([FAILING_LIMIT_SECONDS, IDLE_SECONDS]).toEqual([432_000, 172_800]);
    expect(IDLE_SECONDS).toBeGreaterThan(Math.max(...DELAYS_SECONDS) * (1 + JITTER_PERMILLE / 1000));
  });

  it('lets an event wait 60 s for the previous one', () => {
    expect(orderWaitEnds(NOW)).toBe('2026-03-02T12:01:00.000Z');
  });
});
