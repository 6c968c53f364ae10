import { formatDecimal } from '@ponte/kernel';
import type { FxTerms, Priced } from './conversion.domain';
import {
  buyForTarget,
  buyFromSource,
  buySharesForTarget,
  buySharesFromSource,
  sellForTarget,
  sellFromSource,
  sellSharesForTarget,
  sellSharesFromSource,
} from './conversion.domain';

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
    [
      'buy, target 100.000000, IOF 3.5 %',
      shown(buyForTarget(100_000_000n, worked(35_000n)), true),
      row('100.000000', '559.25', '534.12', '4.28', '18.85', '5.5925000000'),
    ],
    [
      'sell, source 100.000000, IOF 3.5 %',
      shown(sellFromSource(100_000_000n, worked(35_000n)), false),
      row('100.000000', '509.29', '534.12', '4.28', '18.55', '5.0929000000'),
    ],
    [
      'sell, target 500.00, IOF 3.5 %',
      shown(sellForTarget(50_000n, worked(35_000n)), false),
      row('98.182056', '500.00', '524.41', '4.20', '18.21', '5.0925802572'),
    ],
  ])('%s', (_, actual, expected) => expect(actual).toEqual(expected));

  it('have no price when an amount would not be above zero', () => {
    const terms = worked(35_000n);
    for (const brl of [0n, 1n, 200n, 201n]) expect(buyFromSource(brl, terms)).toBeUndefined();
    expect(buyForTarget(0n, terms)).toBeUndefined();
    for (const token of [0n, 1n, 370_000n]) expect(sellFromSource(token, terms)).toBeUndefined();
    expect(sellForTarget(0n, terms)).toBeUndefined();
    // A token worth 100,000 BRL: one centavo is less than its smallest unit, which would be sold for nothing.
    const dear = { ...worked(0n), rate: 10n ** 15n, fee: 0n };
    expect(sellForTarget(1n, dear)).toBeUndefined();
    expect(buyFromSource(2n, dear)).toBeUndefined();
    for (const formula of [buySharesFromSource, sellSharesForTarget]) expect(formula(1n, dear)).toBeUndefined();
    for (const formula of [buySharesForTarget, sellSharesFromSource]) expect(formula(0n, dear)).toBeUndefined();
  });

  it('charge the smallest amount too: 0.000001 USDC costs the fee and a centavo of spread', () => {
    expect(buyForTarget(1n, worked(0n))).toMatchObject({ source: 201n, spread: 1n });
  });
});
