import { Big } from 'big.js';
import * as fc from 'fast-check';
import { formatDecimal } from '@ponte/kernel';
import type { FxTerms, Priced } from './conversion.domain';
import {
  buyForTarget,
  buyFromSource,
  sellForTarget,
  sellFromSource,
  buySharesForTarget,
  buySharesFromSource,
  centavosAtPar,
  mintAtPar,
  redeemAtPar,
  sellSharesForTarget,
  sellSharesFromSource,
} from './conversion.domain';
import type { Plain } from './formulas.testing';
import { exact } from './formulas.testing';

const UNIT = 10n ** 14n;
const worked = (iofPpm: bigint): FxTerms => ({ rate: 53_412_000_000n, unit: UNIT, bps: 80n, iofPpm, fee: 200n });
const vetOf = (brl: bigint, token: bigint) => formatDecimal((brl * UNIT) / token, 10);

describe('the worked cases, R = 5.3412000000, 80 bps, fee 2.00', () => {
  const row = (usdc: string, brl: string, mid: string, spread: string, iof: string, vet: string) => ({
    usdc,
    brl,
    mid,
    spread,
    iof,
    vet,
  });
  const shown = (priced: Priced | undefined, buying: boolean) => {
    if (!priced) throw new Error('not priced');
    const [brl, usdc] = buying ? [priced.source, priced.target] : [priced.target, priced.source];
    const two = (minor: bigint) => formatDecimal(minor, 2);
    return row(
      formatDecimal(usdc, 6),
      two(brl),
      two(priced.mid),
      two(priced.spread),
      two(priced.iof),
      vetOf(brl, usdc),
    );
  };
  it.each([
    [
      'buy, source 1000.00, IOF 0',
      shown(buyFromSource(100_000n, worked(0n)), true),
      row('185.364712', '1000.00', '990.07', '7.93', '0.00', '5.3947700682'),
    ],
    [
      'buy, source 1000.00, IOF 3.5 %',
      shown(buyFromSource(100_000n, worked(35_000n)), true),
      row('179.096457', '1000.00', '956.59', '7.66', '33.75', '5.5835833759'),
    ],
    [
      'buy, target 100.000000, IOF 0',
      shown(buyForTarget(100_000_000n, worked(0n)), true),
      row('100.000000', '540.40', '534.12', '4.28', '0.00', '5.4040000000'),
    ],
    [
      'sell, source 100.000000, IOF 0',
      shown(sellFromSource(100_000_000n, worked(0n)), false),
      row('100.000000', '527.84', '534.12', '4.28', '0.00', '5.2784000000'),
    ],
    [
      'sell, target 500.00, IOF 0',
      shown(sellForTarget(50_000n, worked(0n)), false),
      row('94.744626', '500.00', '506.05', '4.05', '0.00', '5.2773441735'),
    ],
  ])('%s', (_, actual, expected) => expect(actual).toEqual(expected));

  it('prices nothing when an amount would not be above zero', () => {
    const terms = worked(35_000n);
    for (const brl of [0n, 1n, 200n, 201n]) expect(buyFromSource(brl, terms)).toBeUndefined();
    expect(buyForTarget(0n, terms)).toBeUndefined();
    for (const token of [0n, 1n, 370_000n]) expect(sellFromSource(token, terms)).toBeUndefined();
    expect(sellForTarget(0n, terms)).toBeUndefined();
  });

  it('dust is not free: 0.000001 USDC costs the fee and a centavo of spread', () => {
    expect(buyForTarget(1n, worked(0n))).toMatchObject({ source: 201n, spread: 1n });
  });
});

/* The second oracle: big.js with so many decimals that nothing at the scale of a centavo is lost. */
const WideBig = Big();
WideBig.DP = 80;
WideBig.RM = 0;
const big = (x: bigint, scale: number) => new WideBig(x.toString()).div(new WideBig(10).pow(scale));
const minorOf = (x: Big, scale: number) => BigInt(x.times(new WideBig(10).pow(scale)).round(0, 0).toFixed(0));
const [DOWN, UP] = [0, 3] as const;

function decimalBuySource(x: bigint, t: FxTerms): Plain | undefined {
  const [s, i] = [big(t.bps, 4), big(t.iofPpm, 6)];
  const A = big(x - t.fee, 2);
  if (A.lte(0)) return undefined;
  const iof = A.times(i).div(i.plus(1)).round(2, UP);
  const B = A.minus(iof);
  const spread = B.times(s).div(s.plus(1)).round(2, UP);
  const target = minorOf(B.minus(spread).div(big(t.rate, 10)).round(6, DOWN), 6);
  return target > 0n ? { source: x, target, spread: minorOf(spread, 2), iof: minorOf(iof, 2) } : undefined;
}

function decimalSellTarget(x: bigint, t: FxTerms): Plain | undefined {
  const [s, i] = [big(t.bps, 4), big(t.iofPpm, 6)];
  const B = big(x + t.fee, 2);
  const b = B.div(new WideBig(1).minus(i)).round(2, UP);
  const spread = b.times(s).div(new WideBig(1).minus(s)).round(2, UP);
  const source = minorOf(b.plus(spread).div(big(t.rate, 10)).round(6, DOWN), 6);
  return source > 0n ? { source, target: x, spread: minorOf(spread, 2), iof: minorOf(b.minus(B), 2) } : undefined;
}

const terms: fc.Arbitrary<FxTerms> = fc.record({
  // Any rate that the feeds' bound of 10,000 lets in, small and ordinary ones more often.
  rate: fc.oneof(fc.bigInt(10_000_000_000n, 100_000_000_000n), fc.bigInt(100_000_000n, 100_000_000_000_000n)),
  unit: fc.constant(UNIT),
  bps: fc.oneof(fc.bigInt(1n, 200n), fc.bigInt(1n, 9_998n)),
  iofPpm: fc.oneof(fc.constantFrom(0n, 3_800n, 35_000n), fc.bigInt(0n, 999_999n)),
  fee: fc.oneof(fc.constantFrom(0n, 200n), fc.bigInt(0n, 10_000n)),
});
/** From dust to ten million, in centavos or in millionths of a token. */
const amount = fc.oneof(fc.bigInt(1n, 100_000n), fc.bigInt(1n, 1_000_000_000_000n), fc.bigInt(1n, 10n ** 15n));
const bare = (priced: Priced | undefined): Plain | undefined =>
  priced && { source: priced.source, target: priced.target, spread: priced.spread, iof: priced.iof };

let cases = 0;
const holds = <T extends [unknown, ...unknown[]]>(numRuns: number, property: fc.IProperty<T>) => {
  cases += numRuns;
  fc.assert(property, { numRuns });
};
const ways = [buyFromSource, buyForTarget, sellFromSource, sellForTarget] as const;

describe('pricing invariants', () => {
  afterAll(() => expect(cases).toBeGreaterThanOrEqual(100_000));

  it.each([
    ['buy, source given', buyFromSource, exact.buySource],
    ['buy, target given', buyForTarget, exact.buyTarget],
    ['sell, source given', sellFromSource, exact.sellSource],
    ['sell, target given', sellForTarget, exact.sellTarget],
  ])('%s is exactly the formula on fractions', (_, way, oracle) => {
    holds(
      10_000,
      fc.property(amount, terms, (x, t) => expectSame(bare(way(x, t)), oracle(x, t))),
    );
  });

  it('the divisions that do not end agree with big.js too', () => {
    holds(
      2_000,
      fc.property(amount, terms, (x, t) => expectSame(bare(buyFromSource(x, t)), decimalBuySource(x, t))),
    );
    holds(
      2_000,
      fc.property(amount, terms, (x, t) => expectSame(bare(sellForTarget(x, t)), decimalSellTarget(x, t))),
    );
  });

  it('the components sum to the source (buy) or to the floored mid (sell) where the source is given', () => {
    holds(
      6_000,
      fc.property(amount, terms, (x, t) => {
        const bought = buyFromSource(x, t);
        const sold = sellFromSource(x, t);
        return (
          (!bought || bought.mid + bought.spread + bought.iof + bought.fee === x) &&
          (!sold || (sold.target + sold.spread + sold.iof + sold.fee === sold.mid && sold.mid === (x * t.rate) / UNIT))
        );
      }),
    );
  });

  it('never more is delivered than was paid for: buy T·R ≤ S−f, sell N+f ≤ U·R', () => {
    holds(
      12_000,
      fc.property(amount, terms, (x, t) => {
        const within = (brl: bigint, token: bigint, buying: boolean) =>
          buying ? token * t.rate <= (brl - t.fee) * UNIT : (brl + t.fee) * UNIT <= token * t.rate;
        return ways.every((way, at) => {
          const priced = way(x, t);
          return (
            !priced ||
            (at < 2 ? within(priced.source, priced.target, true) : within(priced.target, priced.source, false))
          );
        });
      }),
    );
  });

  it('VET of a purchase ≥ R ≥ VET of a sale', () => {
    holds(
      10_000,
      fc.property(amount, terms, (x, t) =>
        ways.every((way, at) => {
          const priced = way(x, t);
          if (!priced) return true;
          return at < 2
            ? (priced.source * UNIT) / priced.target >= t.rate
            : (priced.target * UNIT) / priced.source <= t.rate;
        }),
      ),
    );
  });

  it('more source never gives less target, and more target never costs less source', () => {
    holds(
      10_000,
      fc.property(amount, fc.oneof(fc.bigInt(1n, 5n), amount), terms, (x, more, t) =>
        ways.every((way, at) => {
          const [less, greater] = [way(x, t), way(x + more, t)];
          const answer = at % 2 === 0 ? 'target' : 'source';
          return !less || (greater !== undefined && greater[answer] >= less[answer]);
        }),
      ),
    );
  });

  it('a round trip at one rate strictly loses, for every mix of given sides', () => {
    holds(
      12_000,
      fc.property(amount, terms, (x, t) => {
        const losesBrl = [buyFromSource, buyForTarget].every((buy) => {
          const bought = buy(x, t);
          if (!bought) return true;
          const sold = sellFromSource(bought.target, t);
          const regained = sellForTarget(bought.source, t);
          return (!sold || sold.target < bought.source) && (!regained || regained.source > bought.target);
        });
        const losesToken = [sellFromSource, sellForTarget].every((sell) => {
          const sold = sell(x, t);
          if (!sold) return true;
          const bought = buyFromSource(sold.target, t);
          const regained = buyForTarget(sold.source, t);
          return (!bought || bought.target < sold.source) && (!regained || regained.source > sold.target);
        });
        return losesBrl && losesToken;
      }),
    );
  });

  it('a computed source re-quoted as given never exceeds the asked target', () => {
    holds(
      10_000,
      fc.property(amount, terms, (x, t) => {
        const bought = buyForTarget(x, t);
        const sold = sellForTarget(x, t);
        return (
          (!bought || (buyFromSource(bought.source, t)?.target ?? 0n) <= x) &&
          (!sold || (sellFromSource(sold.source, t)?.target ?? 0n) <= x)
        );
      }),
    );
  });

  const par = { perCentavo: 10n ** 16n };
  const token18 = fc.oneof(fc.bigInt(1n, 10n ** 18n), fc.bigInt(1n, 10n ** 27n));
  it('BRLV: supply always equals reserve, and a part of a centavo is neither minted nor redeemed', () => {
    holds(
      4_000,
      fc.property(token18, (x) => {
        const centavos = centavosAtPar(x, par);
        const minted = mintAtPar(centavos, par);
        const redeemed = redeemAtPar(centavos, par);
        if (centavos === 0n) return minted === undefined && redeemed === undefined;
        return (
          minted?.target === centavos * par.perCentavo &&
          minted.source === centavos &&
          minted.target <= x &&
          redeemed?.source === minted.target &&
          redeemed.target === centavos
        );
      }),
    );
  });

  it('wBRLY: shares = ⌊BRL/pps⌋, BRL = ⌊shares·pps⌋, and no round trip gains', () => {
    const share = fc.record({ rate: fc.bigInt(5_000_000_000n, 100_000_000_000n), unit: fc.constant(10n ** 26n) });
    holds(
      8_000,
      fc.property(fc.bigInt(1n, 10n ** 9n), token18, share, (brl, shares, t) => {
        const bought = buySharesFromSource(brl, t);
        const asked = buySharesForTarget(shares, t);
        const sold = sellSharesFromSource(shares, t);
        const regained = sellSharesForTarget(brl, t);
        return (
          bought?.target === (brl * t.unit) / t.rate &&
          (sellSharesFromSource(bought.target, t)?.target ?? 0n) <= brl &&
          (!asked ||
            (asked.target <= shares &&
              asked.target * t.rate <= asked.source * t.unit &&
              asked.source === (shares * t.rate) / t.unit)) &&
          (!sold ||
            (sold.target === (shares * t.rate) / t.unit &&
              (buySharesFromSource(sold.target, t)?.target ?? 0n) <= shares)) &&
          regained?.source === bought.target
        );
      }),
    );
  });
});

/** Cheaper than `toEqual` a hundred thousand times over. */
function expectSame(actual: Plain | undefined, expected: Plain | undefined): void {
  const text = (one: Plain | undefined) => one && `${one.source}/${one.target}/${one.spread}/${one.iof}`;
  if (text(actual) !== text(expected)) throw new Error(`${text(actual)} is not ${text(expected)}`);
}
