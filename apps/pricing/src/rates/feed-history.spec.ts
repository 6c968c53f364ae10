import { NOON, usd } from '../testing/feed-under-test';
import { FeedHistory } from './feed-history';

const seen = (rate: string) => ({ rate: usd(rate), observedAt: NOON });

describe('The history of a feed', () => {
  it('counts the time without a successful poll from its start, and then from the last one', () => {
    const history = new FeedHistory(NOON);
    expect(history.readAge(NOON + 5_000)).toBe(5_000);
    history.read(seen('5.34'), NOON + 6_000);
    expect(history.readAge(NOON + 7_000)).toBe(1_000);
    expect(history.readAge(NOON)).toBe(0);
  });

  it('counts the time for which every poll gave the same value, whatever its time is', () => {
    const history = new FeedHistory(NOON);
    expect(history.unchangedFor(NOON + 5_000)).toBeUndefined();
    history.read(undefined, NOON);
    expect(history.unchangedFor(NOON)).toBeUndefined();
    for (const minutes of [0, 30, 60])
      history.read({ ...seen('5.34'), observedAt: NOON + minutes * 60_000 }, NOON + minutes * 60_000);
    expect(history.unchangedFor(NOON + 7_200_000)).toBe(7_200_000);
    history.read(seen('5.3400000001'), NOON + 7_200_000);
    expect(history.unchangedFor(NOON + 7_201_000)).toBe(1_000);
  });
});
