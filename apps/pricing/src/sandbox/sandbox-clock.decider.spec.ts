import { sandboxClock, MAX_AHEAD_MS } from './sandbox-clock.decider';

const decided = (request: Parameters<typeof sandboxClock.decide>[0], aheadMs = 0) =>
  sandboxClock.decide(request, { aheadMs }).map(({ data }) => data.aheadMs);

test('business time advances by a duration or to a time, never back and at most a hundred years ahead', () => {
  expect(decided({ bySeconds: 60 })).toEqual([60_000]);
  expect(decided({ bySeconds: 60 }, 5_000)).toEqual([65_000]);
  expect(decided({ to: 10_000, systemNow: 4_000 }, 5_000)).toEqual([6_000]);
  expect(decided({ to: 10_000, systemNow: 5_000 }, 5_000)).toEqual([]);
  expect(decided({ to: 0, systemNow: 5_000 })).toEqual([]);
  expect(decided({ to: MAX_AHEAD_MS + 5, systemNow: 5 })).toEqual([MAX_AHEAD_MS]);
  expect(() => decided({ to: MAX_AHEAD_MS + 6, systemNow: 5 })).toThrow('a hundred years');
  expect(() => decided({ bySeconds: 1 }, MAX_AHEAD_MS)).toThrow('a hundred years');
});
