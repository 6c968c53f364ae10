import * as fc from 'fast-check';
import {
  buyForTarget,
  buyFromSource,
  buySharesForTarget,
  buySharesFromSource,
  centavosAtPar,
  mintAtPar,
  redeemAtPar,
  sellForTarget,
  sellFromSource,
  sellSharesForTarget,
  sellSharesFromSource,
} from './conversion.domain';
import { amount, bare, decimalBuySource, decimalSellTarget, exact, expectSame, terms, UNIT } from './formulas.testing';

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
  ])('%s equals the formula on exact fractions', (_, way, oracle) => {
    holds(
      10_000,
      fc.property(amount, terms, (x, t) => expectSame(bare(way(x, t)), oracle(x, t))),
    );
  });

  it('non-terminating divisions also agree with big.js', () => {
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

  it('no more is delivered than was paid for: buy T·R ≤ S−f, sell N+f ≤ U·R', () => {
    holds(
      12_000,
      fc.property(amount, terms, (x, t) => {
        const isWithinLimits = (brl: bigint, token: bigint, buying: boolean) =>
          buying ? token * t.rate <= (brl - t.fee) * UNIT : (brl + t.fee) * UNIT <= token * t.rate;
        return ways.every((way, at) => {
          const priced = way(x, t);
          return (
            !priced ||
            (at < 2
              ? isWithinLimits(priced.source, priced.target, true)
              : isWithinLimits(priced.target, priced.source, false))
          );
        });
      }),
    );
  });

  it('the VET of a purchase is ≥ R, and that of a sale is ≤ R', () => {
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

  it('a round trip at one rate always loses, for every mix of given sides', () => {
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

  it('quoting a computed source as the given amount never yields more than the original target', () => {
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
  it('BRLV: supply always equals reserve, and a fraction of a centavo is neither minted nor redeemed', () => {
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
        const boughtForTarget = buySharesForTarget(shares, t);
        const sold = sellSharesFromSource(shares, t);
        const regained = sellSharesForTarget(brl, t);
        return (
          bought?.target === (brl * t.unit) / t.rate &&
          (sellSharesFromSource(bought.target, t)?.target ?? 0n) <= brl &&
          (!boughtForTarget ||
            (boughtForTarget.target <= shares &&
              boughtForTarget.target * t.rate <= boughtForTarget.source * t.unit &&
              boughtForTarget.source === (shares * t.rate) / t.unit)) &&
          (!sold ||
            (sold.target === (shares * t.rate) / t.unit &&
              (buySharesFromSource(sold.target, t)?.target ?? 0n) <= shares)) &&
          regained?.source === bought.target
        );
      }),
    );
  });
});
