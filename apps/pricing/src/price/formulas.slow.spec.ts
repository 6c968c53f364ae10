import { exact } from './formulas.testing';
import type { FxTerms, Priced } from './conversion.domain';
import { buyForTarget, buyFromSource, sellForTarget, sellFromSource } from './conversion.domain';

jest.setTimeout(300_000);

/** A million in all; fewer in CI, which is limited to 40 minutes. */
const QUOTES_PER_WAY = process.env['CI'] ? 50_000 : 250_000;
const UNIT = 10n ** 14n;
const TABLES = {
  bps: [1n, 80n, 105n, 9_998n],
  iofPpm: [0n, 3_800n, 35_000n, 999_999n],
  fee: [0n, 200n, 10_000n],
} as const;

/** Generates the same numbers in each run, from the high bits of a linear congruential generator (Knuth's MMIX). */
function randomNumbers(seed: bigint): (bound: bigint) => bigint {
  let state = seed;
  return (bound) => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return (state >> 13n) % bound;
  };
}

const text = (one: Pick<Priced, 'source' | 'target' | 'spread' | 'iof'> | undefined) =>
  one && `${one.source}/${one.target}/${one.spread}/${one.iof}`;

describe('a million FX quotes (fewer in CI)', () => {
  it.each([
    ['buy, source given', buyFromSource, exact.buySource],
    ['buy, target given', buyForTarget, exact.buyTarget],
    ['sell, source given', sellFromSource, exact.sellSource],
    ['sell, target given', sellForTarget, exact.sellTarget],
  ])('%s: each equals the formula on exact fractions', (_, way, oracle) => {
    const random = randomNumbers(20_260_513n);
    const anyOf = (values: readonly bigint[], bound: bigint) =>
      random(2n) === 0n ? (values[Number(random(BigInt(values.length)))] ?? 0n) : random(bound);
    let priced = 0;
    while (priced < QUOTES_PER_WAY) {
      const terms: FxTerms = {
        rate: 10_000_000_000n + random(90_000_000_000n),
        unit: UNIT,
        bps: anyOf(TABLES.bps, 9_998n) + 1n,
        iofPpm: anyOf(TABLES.iofPpm, 999_999n),
        fee: anyOf(TABLES.fee, 10_000n),
      };
      const given = 1n + random(10n ** (2n + random(12n)));
      const [actual, expected] = [text(way(given, terms)), text(oracle(given, terms))];
      if (actual !== expected) throw new Error(`${given}: ${String(actual)} is not ${String(expected)}`);
      if (actual !== undefined) priced += 1;
    }
    // Amounts too small for a price are compared as well, in addition to these.
    expect(priced).toBe(QUOTES_PER_WAY);
  });
});
