import { lruCache } from './maps';

describe('lruCache', () => {
  it('keeps at most the given number of values and drops the least recently used one', () => {
    const dropped: string[] = [];
    const cache = lruCache<string, number>(2, { dispose: (_, key) => dropped.push(key) });
    cache.set('a', 1).set('b', 2);
    expect(cache.get('a')).toBe(1);
    cache.set('c', 3);
    expect([...cache.keys()].sort()).toEqual(['a', 'c']);
    expect(dropped).toEqual(['b']);
  });

  it('keeps fewer values if they count as several', () => {
    const cache = lruCache<string, number>(5, { sizeOf: (value) => value });
    cache.set('a', 2).set('b', 3);
    expect(cache.size).toBe(2);
    cache.set('c', 1);
    expect([...cache.keys()].sort()).toEqual(['b', 'c']);
  });

  it('allocates no places for values that it does not hold yet', () => {
    const before = process.memoryUsage().arrayBuffers;
    const cache = lruCache<string, number>(100_000_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
    expect(cache.size).toBe(0);
  });
});
