import { Unavailable } from '@ponte/kernel';
import type { Hex } from '../../chain.port';
import type { MintLog } from './mint-search';
import { MintSearch } from './mint-search';

const REFERENCE: Hex = '0x1';
const SECOND = 1_000;

/** A chain with one block per second, whose provider searches at most `most` blocks at once. */
function chain({ head, taken, most }: { head: number; taken: number | null; most: number }) {
  const pages: (readonly [number, number])[] = [];
  const log: MintLog = {
    head: async () => head,
    timeOf: async (block) => block * SECOND,
    takenIn: async (_, from, to) => {
      pages.push([from, to]);
      if (to - from + 1 > most) return 'too-much';
      return taken !== null && taken >= from && taken <= to ? '0xabc' : null;
    },
  };
  return { log, pages };
}

describe('the search for a mint', () => {
  it('starts some minutes before the intent, and reads no earlier blocks', async () => {
    const { log, pages } = chain({ head: 5_000_000, taken: 4_999_990, most: 10_000 });
    await expect(new MintSearch().find(log, REFERENCE, 4_995_000 * SECOND)).resolves.toBe('0xabc');
    expect(pages).toEqual([[4_994_400, 5_000_000]]);
  });

  it('halves its pages until the provider accepts them, begins again near that size, and misses no block', async () => {
    const { log, pages } = chain({ head: 20_000, taken: 19_999, most: 700 });
    const search = new MintSearch();
    await expect(search.find(log, REFERENCE, 10_600 * SECOND)).resolves.toBe('0xabc');
    const given = pages.filter(([from, to]) => to - from + 1 <= 700);
    expect(given[0]?.[0]).toBe(10_000);
    given.slice(1).forEach(([from], at) => expect(from).toBe((given[at]?.[1] ?? 0) + 1));
    expect(pages.length - given.length).toBeLessThanOrEqual(4);
    pages.length = 0;
    await search.find(log, '0x2', 19_000 * SECOND);
    expect(pages.filter(([from, to]) => to - from + 1 > 700).length).toBeLessThanOrEqual(1);
  });

  it('finds a mint that is older than the intent, newest blocks first, over several searches', async () => {
    const { log, pages } = chain({ head: 400_000, taken: 10, most: 500 });
    const search = new MintSearch();
    let found: Hex | null | undefined;
    let searches = 0;
    while (found === undefined) {
      searches += 1;
      pages.length = 0;
      found = await search.find(log, REFERENCE, 400_000 * SECOND).catch((error: unknown) => {
        expect(error).toBeInstanceOf(Unavailable);
        return undefined;
      });
      expect(pages.length).toBeLessThanOrEqual(200);
    }
    expect(found).toBe('0xabc');
    expect(searches).toBeGreaterThan(3);
    expect(searches).toBeLessThan(10);
  });

  it('finds a mint in a block that a reorg put in place of one that an unfinished search has covered', async () => {
    const before = chain({ head: 400_000, taken: null, most: 500 });
    const search = new MintSearch();
    await expect(search.find(before.log, REFERENCE, 399_990 * SECOND)).rejects.toBeInstanceOf(Unavailable);
    const { log } = chain({ head: 400_001, taken: 399_995, most: 500 });
    await expect(search.find(log, REFERENCE, 399_990 * SECOND)).resolves.toBe('0xabc');
    // The mint that was found is replaced too.
    const later = chain({ head: 400_300, taken: 400_010, most: 500 });
    await expect(search.find(later.log, REFERENCE, 399_990 * SECOND)).resolves.toBe('0xabc');
  });

  it('uses large pages again after a node has refused them for a while', async () => {
    const { log, pages } = chain({ head: 100_000, taken: null, most: 10_000 });
    const search = new MintSearch();
    await expect(
      search.find({ ...log, takenIn: async () => 'too-much' }, REFERENCE, 0).catch(() => 'refused'),
    ).resolves.toBe('refused');
    for (let searches = 0; searches < 14; searches += 1)
      await search.find(log, '0x2', 99_999 * SECOND).catch(() => null);
    pages.length = 0;
    await search.find(log, '0x3', 0);
    expect(pages.length).toBeLessThan(20);
  });

  it('returns null only after it has searched every block', async () => {
    const { log, pages } = chain({ head: 30_000, taken: null, most: 10_000 });
    await expect(new MintSearch().find(log, REFERENCE, 20_000 * SECOND)).resolves.toBeNull();
    expect(pages.reduce((sum, [from, to]) => sum + to - from + 1, 0)).toBe(30_001);
  });

  it.each([
    { part: 'before', taken: 15_000, since: 30_000 },
    { part: 'after', taken: 15_000, since: 0 },
  ])('skips no block $part the intent when two searches for one reference run at once', async ({ taken, since }) => {
    const { log } = chain({ head: 30_000, taken, most: 10_000 });
    const search = new MintSearch();
    // The first search stores its progress, which the two concurrent searches then share.
    const unanswered = { ...log, takenIn: () => Promise.reject(new Unavailable('chain-unavailable')) };
    await expect(search.find(unanswered, REFERENCE, since * SECOND)).rejects.toBeInstanceOf(Unavailable);
    const find = () => search.find(log, REFERENCE, since * SECOND);
    await expect(Promise.all([find(), find()])).resolves.toEqual(['0xabc', '0xabc']);
  });

  it('ends when a node refuses even a single block', async () => {
    const { log, pages } = chain({ head: 3, taken: null, most: 0 });
    await expect(new MintSearch().find(log, REFERENCE, 0)).rejects.toBeInstanceOf(Unavailable);
    expect(pages.length).toBeLessThan(10);
  });
});
