import { Metrics } from '@ponte/observability';
import { LoadShedder } from './load-shedder';

const LIMIT_MS = 10_000;
/**
 * Seconds of processor time for an acceptance and for the work that follows from it. Acceptance gets at most
 * `MAX_FOR_ACCEPTANCE` of the processor.
 */
const COST = { accept: 0.02, rest: 0.04 };
const MAX_FOR_ACCEPTANCE = 0.6;

let behindMs: number | null;
let looks: number;
const make = (limitMs = LIMIT_MS) =>
  new LoadShedder(
    {
      worst: async () => {
        looks += 1;
        return behindMs === null ? null : { reader: 'outbox', behindMs };
      },
    },
    limitMs,
    new Metrics(),
  );

/** The number of requests, out of `requests`, that are shed. */
const shedPriority = (shedder: LoadShedder, kind: 'first' | 'last', requests = 100): number =>
  Array.from({ length: requests }, () => shedder.sheds(kind, 'create-quote')).filter((wait) => wait !== undefined)
    .length;

/** Simulates seconds with one request each, in which readers are this far behind. */
async function pass(shedder: LoadShedder, ...behind: (number | null)[]): Promise<void> {
  for (const now of behind) {
    behindMs = now;
    shedder.sheds('last', 'create-order');
    await shedder.check();
  }
}
const seconds = (count: number, behind: (at: number) => number): number[] =>
  Array.from({ length: count }, (_, at) => behind(at));

beforeEach(() => {
  [behindMs, looks] = [null, 0];
});

describe('while accepted work is late', () => {
  test('nothing is shed for a backlog of up to ten seconds, for a brief one, or for one that readers catch up with', async () => {
    const shedder = make();
    await pass(shedder, ...seconds(60, () => LIMIT_MS));
    await pass(shedder, ...seconds(5, () => 86_400_000), null, ...seconds(5, () => 30_000), 2_000);
    await pass(shedder, ...seconds(600, (at) => 3_600_000 - at * 5_000));
    expect([shedPriority(shedder, 'first'), shedPriority(shedder, 'last')]).toEqual([0, 0]);
  });

  test('the share of shed quotes grows by a twentieth a second while readers do not catch up, and orders follow only then', async () => {
    const shedder = make();
    await pass(shedder, ...seconds(6, () => 20_000));
    expect([shedPriority(shedder, 'first'), shedPriority(shedder, 'last')]).toEqual([5, 0]);
    await pass(shedder, ...seconds(9, () => 20_000));
    expect([shedPriority(shedder, 'first'), shedPriority(shedder, 'last')]).toEqual([50, 0]);
    await pass(shedder, ...seconds(20, () => 20_000));
    expect([shedPriority(shedder, 'first'), shedPriority(shedder, 'last')]).toEqual([95, 50]);
    await pass(shedder, ...seconds(100, () => 20_000));
    expect([shedPriority(shedder, 'first'), shedPriority(shedder, 'last')]).toEqual([95, 90]);
  });

  test('Retry-After is about the time until the caller would be served, at most ten seconds', async () => {
    const shedder = make();
    await pass(shedder, ...seconds(15, () => 20_000));
    expect([1, 2, 3, 4].map(() => shedder.sheds('first', 'create-quote')).filter(Boolean)).toEqual([2, 2]);
    await pass(shedder, ...seconds(30, () => 20_000));
    expect(new Set(Array.from({ length: 100 }, () => shedder.sheds('first', 'create-quote')))).toEqual(
      new Set([undefined, 10]),
    );
  });

  test('less is shed while readers catch up, and nothing soon after they have caught up', async () => {
    const shedder = make();
    await pass(shedder, ...seconds(25, () => 30_000));
    expect(shedder.share('first')).toBe(0.95);
    await pass(shedder, ...seconds(30, (at) => 30_000 - (at + 1) * 500));
    const gaining = shedder.share('first');
    expect(gaining).toBeLessThan(0.8);
    expect(gaining).toBeGreaterThan(0.3);
    await pass(shedder, ...seconds(20, () => 1_000));
    expect(shedder.share('first')).toBe(0);
  });

  test('while the delay of readers is unknown, the share stays; it is not read without requests; a limit of 0 disables shedding', async () => {
    const shedder = make();
    await shedder.check();
    expect(looks).toBe(0);
    await pass(shedder, ...seconds(10, () => 20_000));
    const share = shedder.share('first');
    const away = { worst: () => Promise.reject(new Error('the database is away')) };
    const blind = new LoadShedder(away, LIMIT_MS, new Metrics());
    await pass(blind, ...seconds(10, () => 20_000));
    expect([share > 0, blind.share('first')]).toEqual([true, 0]);
    const off = make(0);
    await pass(off, ...seconds(60, () => 60_000));
    expect(off.share('first')).toBe(0);
  });
});

/**
 * Simulates orders sent to a machine that divides its processor between acceptance and the work that follows. Returns
 * the accepted orders per second and how far the rest is behind, in milliseconds.
 */
async function underLoad(
  shedder: LoadShedder,
  length: number,
  offered: (second: number) => number,
): Promise<{ accepted: number; behind: number }[]> {
  const queue: number[] = [];
  const reported: { accepted: number; behind: number }[] = [];
  for (let second = 0, spare = 0; second < length; second += 1) {
    let processor = 1 + spare;
    let accepted = 0;
    for (let request = 0; request < offered(second); request += 1) {
      if (shedder.sheds('first', 'create-quote') !== undefined || shedder.sheds('last', 'create-order') !== undefined)
        continue;
      if ((accepted + 1) * COST.accept > MAX_FOR_ACCEPTANCE) break;
      accepted += 1;
      queue.push(second);
    }
    processor -= accepted * COST.accept;
    let oldest = second;
    for (; processor >= COST.rest && queue.length > 0; processor -= COST.rest) oldest = queue.shift() ?? second;
    spare = queue.length > 0 ? processor : 0;
    behindMs = (second - oldest) * 1_000;
    reported.push({ accepted, behind: behindMs });
    await shedder.check();
  }
  return reported;
}

describe('under three times the load that the machine can carry', () => {
  const HALF_AN_HOUR = 1_800;
  const worstOf = (reported: { behind: number }[]) => Math.max(...reported.map(({ behind }) => behind));
  const sum = (reported: { accepted: number }[]) => reported.reduce((total, { accepted }) => total + accepted, 0);

  test('accepted work is processed within a minute, and most of the work that the machine can carry is accepted', async () => {
    const without = await underLoad(make(0), HALF_AN_HOUR, () => 50);
    expect(worstOf(without)).toBeGreaterThan(600_000);
    const reported = await underLoad(make(), HALF_AN_HOUR, () => 50);
    expect(worstOf(reported)).toBeLessThan(60_000);
    expect(sum(reported)).toBeGreaterThan((0.8 * HALF_AN_HOUR) / (COST.accept + COST.rest));
  });

  test('nothing is shed within a minute after the load has ended', async () => {
    const shedder = make();
    const reported = await underLoad(shedder, 400, (second) => (second < 300 ? 50 : 5));
    expect(reported.at(-1)).toEqual({ accepted: 5, behind: 0 });
    expect(sum(reported.slice(350))).toBe(250);
  });

  test('a load that the machine can carry is never shed', async () => {
    const reported = await underLoad(make(), 600, () => 15);
    expect(sum(reported)).toBe(9_000);
  });
});
