import { delayBefore, retryAfterOf } from './retry';

const half = () => 0.5;

describe('the delay before a retry', () => {
  it('doubles up to a limit, with full jitter', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 30].map((attempt) => delayBefore(attempt, null, () => 1))).toEqual([
      250, 500, 1000, 2000, 4000, 8000, 8000, 8000,
    ]);
    expect(delayBefore(2, null, () => 0)).toBe(0);
    expect(delayBefore(2, null, half)).toBe(500);
  });

  it('is never shorter than Retry-After, and adds jitter to it', () => {
    expect(delayBefore(9, 1000, () => 0)).toBe(1000);
    expect(delayBefore(0, 1000, half)).toBe(1125);
  });
});

describe('Retry-After', () => {
  const of = (value?: string) =>
    retryAfterOf(new Headers(value === undefined ? {} : { 'retry-after': value }), Date.parse('2026-01-31T12:00:00Z'));

  it('is parsed as seconds or as a date, and ignored if it is invalid', () => {
    expect([of('3'), of('0'), of('Sat, 31 Jan 2026 12:00:05 GMT'), of('Sat, 31 Jan 2026 11:00:00 GMT')]).toEqual([
      3000, 0, 5000, 0,
    ]);
    expect([of(), of('soon'), of('-1')]).toEqual([null, null, null]);
  });
});
