import { NameFilter } from './name-filter';
import { StreamNames } from './stream-names';

const names = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `order-${(from + at).toString(16).padStart(12, '0')}`);

describe('a filter of names', () => {
  test('has every name that was added, over several layers, and takes few others for one', () => {
    const filter = new NameFilter();
    const added = names(0, 200_000);
    added.forEach((name) => filter.add(name));
    expect(added.filter((name) => !filter.mayHave(name))).toEqual([]);
    // One in 2,000 is what its size promises; an order of magnitude more would be a bad hash.
    expect(names(1_000_000, 100_000).filter((name) => filter.mayHave(name)).length).toBeLessThan(500);
  });

  test('one that is empty has nothing', () => {
    expect(new NameFilter().mayHave('')).toBe(false);
  });
});

describe('the streams of a log by name', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  const over = (file: readonly string[]) =>
    new StreamNames((name, limit) => file.filter((one) => one > name).slice(0, limit));

  test('an empty file is known at once', () => {
    const streams = over([]);
    expect(streams.lacks('order-a')).toBe(true);
    streams.add('order-a');
    expect(streams.lacks('order-a')).toBe(false);
    expect(streams.lacks('order-b')).toBe(true);
  });

  test('nothing is said to be missing before the whole file was taken in', () => {
    const file = names(0, 1_000);
    const streams = over(file);
    for (let step = 0; step < 5; step += 1) {
      expect(streams.lacks('order-none')).toBe(false);
      jest.advanceTimersToNextTimer();
    }
    jest.runAllTimers();
    expect(streams.lacks('order-none')).toBe(true);
    expect(file.filter((name) => streams.lacks(name))).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('after a write with an unknown outcome the file is read again', () => {
    const file = ['order-a'];
    const streams = over(file);
    file.push('order-b');
    streams.relearn();
    expect(streams.lacks('order-b')).toBe(false);
    jest.runAllTimers();
    expect(streams.lacks('order-b')).toBe(false);
    expect(streams.lacks('order-c')).toBe(true);
  });

  test('a file that cannot be read leaves everything unknown, and one that is ended asks no more', () => {
    const broken = new StreamNames(() => {
      throw new Error('the disk is gone');
    });
    expect(broken.lacks('order-a')).toBe(false);
    const ended = over(names(0, 1_000));
    ended.end();
    expect(jest.getTimerCount()).toBe(0);
    expect(ended.lacks('order-none')).toBe(false);
  });
});
