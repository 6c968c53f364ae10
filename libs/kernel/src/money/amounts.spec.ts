import { Big } from 'big.js';
import * as fc from 'fast-check';
import {
  ASSET_IDS,
  CHAINS,
  assetOf,
  assetsBySymbol,
  chainIdOf,
  divCeil,
  divFloor,
  formatDecimal,
  isAssetId,
  isToken,
  mulCeil,
  mulFloor,
  parseDecimal,
  rescaleExact,
  rescaleFloor,
} from '../index';

const CASES = 100_000;

const minorUnits = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 40n });
const digits = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...'0123456789'), { minLength, maxLength }).map((all) => all.join(''));

const validDecimal = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }),
    fc.oneof(
      digits(1, 40),
      digits(1, 3).map((end) => end.padEnd(8, '0')),
      fc.constant(''),
    ),
  )
  .map(([whole, fraction]) => (fraction === '' ? `${whole}` : `${whole}.${fraction}`));

/** Texts near the limits of the grammar: plain numbers, numbers with one defect, and noise. */
const nearDecimal = fc.oneof(
  fc.tuple(digits(0, 20), fc.constantFrom('', '.', ','), digits(0, 20)).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom('-', '+', ' ', '0', '0x', '1e', '٣', '\u00a0'), digits(1, 6)).map((parts) => parts.join('')),
  fc
    .tuple(digits(1, 6), fc.constantFrom('e3', 'n', '\n', ' ', '.', '_0', '\u0000', '．5'))
    .map((parts) => parts.join('')),
  fc.double().map(String),
  fc.string(),
);

describe('assets', () => {
  it('are eleven: BRL with 2 decimals, USDC and USDT with 6, tokens of the BRLV type with 18', () => {
    expect(ASSET_IDS).toHaveLength(11);
    for (const id of ASSET_IDS) {
      const { symbol, scale, kind, chain, onChainDecimals } = assetOf(id);
      expect(assetOf(id).id).toBe(id);
      expect(id.split('/')[1]).toBe(symbol.toLowerCase());
      expect(scale).toBe({ BRL: 2, USD: 2, USDC: 6, USDT: 6, BRLV: 18, wBRLY: 18, BRLY: 18 }[symbol]);
      expect([chain ?? 'fiat', isToken(id)]).toEqual([id.split('/')[0], kind === 'token']);
      expect(onChainDecimals).toBe(kind === 'fiat' ? undefined : id === 'tempo/brlv' ? 6 : scale);
    }
  });

  it('are found by the short name used in paths, and by nothing else', () => {
    expect(assetsBySymbol('usdc')?.sort()).toEqual(['eth-base/usdc', 'eth-mainnet/usdc']);
    expect(assetsBySymbol('brlv')?.sort()).toEqual(['eth-base/brlv', 'eth-mainnet/brlv', 'tempo/brlv']);
    expect(['brl', 'usd', 'wbrly', 'brly'].map(assetsBySymbol)).toEqual([
      ['fiat/brl'],
      ['fiat/usd'],
      ['eth-base/wbrly'],
      ['eth-base/brly'],
    ]);
    expect(assetsBySymbol('usdt')).toHaveLength(2);
    expect(['', 'USDC', 'constructor', '__proto__', 'fiat/brl'].map(assetsBySymbol)).toEqual(Array(5).fill(undefined));
    expect(['fiat/brl', 'fiat/eur', 'toString', 7, null].map(isAssetId)).toEqual([true, false, false, false, false]);
  });

  it('are on the chains with the ids 1, 8453 and 4217', () => {
    expect(CHAINS.map(chainIdOf)).toEqual([1, 8453, 4217]);
  });
});

describe('the decimal grammar', () => {
  it('refuses a sign, an exponent, a space, leading zeros and Unicode digits', () => {
    const refused = [
      '',
      '-1',
      '+1',
      '1e3',
      '0x10',
      '1.',
      '.5',
      '00001',
      '00',
      '01.5',
      ' 1',
      '1 ',
      '1\n',
      '1,5',
      '1.5.5',
      '٣',
      '１',
      'NaN',
      'Infinity',
      '1_000',
      '0.'.padEnd(81, '1'),
      '1'.repeat(19),
      '1'.repeat(1_000_000),
    ];
    expect(refused.filter((text) => parseDecimal(text) !== undefined)).toEqual([]);
    expect(parseDecimal(12 as never)).toBeUndefined();
    expect(parseDecimal('0')).toEqual({ digits: 0n, scale: 0 });
    expect(parseDecimal('0.50')).toEqual({ digits: 50n, scale: 2 });
    const longest = `${'9'.repeat(18)}.${'9'.repeat(18)}`;
    expect(parseDecimal(longest)).toEqual({ digits: 10n ** 36n - 1n, scale: 18 });
    expect(parseDecimal('0.'.padEnd(80, '1'))?.scale).toBe(78);
  });

  it('accepts exactly what the grammar describes', () => {
    fc.assert(
      fc.property(fc.oneof(nearDecimal, validDecimal), (text) => {
        const inGrammar = /^[0-9]{1,18}(\.[0-9]+)?$/.test(text) && text.length <= 80 && !/^0[0-9]/.test(text);
        return (parseDecimal(text) !== undefined) === inGrammar;
      }),
      { numRuns: CASES },
    );
  });

  it('parses accepted texts as big.js does, rounded down or exact at any scale', () => {
    fc.assert(
      fc.property(validDecimal, fc.integer({ min: 0, max: 18 }), (text, scale) => {
        const decimal = parseDecimal(text);
        if (decimal === undefined) return false;
        const value = new Big(text);
        const oracle = value.round(scale, 0);
        const floored = rescaleFloor(decimal, scale);
        return (
          formatDecimal(floored, scale) === oracle.toFixed(scale) &&
          rescaleExact(decimal, scale) === (oracle.eq(value) ? floored : undefined)
        );
      }),
      { numRuns: CASES },
    );
  });

  it('formats any minor units so that big.js parses the same value, including the sign', () => {
    fc.assert(
      fc.property(minorUnits, fc.integer({ min: 0, max: 18 }), (minor, scale) => {
        const text = formatDecimal(minor, scale);
        return (
          new Big(text).times(new Big(10).pow(scale)).toFixed(0) === minor.toString() &&
          (text.split('.')[1] ?? '').length === scale
        );
      }),
      { numRuns: 20_000 },
    );
    expect([formatDecimal(-5n, 2), formatDecimal(0n, 18), formatDecimal(7n, 0)]).toEqual([
      '-0.05',
      '0.000000000000000000',
      '7',
    ]);
  });
});

describe('fixed-point division', () => {
  it("rounds in the direction of the function's name", () => {
    fc.assert(
      fc.property(positive, positive, positive, (a, b, divisor) => {
        const floor = mulFloor(a, b, divisor);
        const ceil = mulCeil(a, b, divisor);
        return (
          floor * divisor <= a * b &&
          (floor + 1n) * divisor > a * b &&
          ceil * divisor >= a * b &&
          (ceil - 1n) * divisor < a * b &&
          divFloor(a, divisor) <= divCeil(a, divisor)
        );
      }),
      { numRuns: 20_000 },
    );
    expect([divFloor(0n, 3n), divCeil(0n, 3n), divCeil(1n, 3n), divCeil(3n, 3n)]).toEqual([0n, 0n, 1n, 1n]);
  });

  it('refuses negative operands and a zero denominator', () => {
    for (const action of [
      () => divFloor(-1n, 2n),
      () => divCeil(1n, -2n),
      () => mulCeil(-1n, 1n, 2n),
      () => mulFloor(1n, 1n, 0n),
    ]) {
      expect(action).toThrow(RangeError);
    }
  });
});
