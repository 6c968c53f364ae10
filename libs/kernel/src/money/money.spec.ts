import * as fc from 'fast-check';
import { ASSET_IDS, Money, RATE_SCALE, Rate, Refusal, fromOnChain, isToken, toOnChain, toOnChainFloor } from '../index';

const codeOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'accepted';
};

const minorUnits = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
const asset = fc.constantFrom(...ASSET_IDS);

describe('Money', () => {
  it('refuses excess decimals with amount-scale-exceeded', () => {
    expect(codeOf(() => Money.parse('fiat/brl', '10.019'))).toBe('amount-scale-exceeded');
    expect(codeOf(() => Money.parse('fiat/brl', '10.010'))).toBe('amount-scale-exceeded');
    for (const text of ['10.019', '10.0.1']) {
      expect(() => Money.parse('fiat/brl', text)).toThrow(
        expect.objectContaining({ violations: [expect.objectContaining({ path: 'amount' })] }) as Error,
      );
    }
    expect(codeOf(() => Money.parse('fiat/brl', '-1'))).toBe('invalid-format');
    expect(codeOf(() => Money.parse('fiat/brl', '1e2'))).toBe('invalid-format');
    expect(Money.parse('fiat/brl', '1').toString()).toBe('1.00');
    expect(Money.parse('eth-base/usdc', '0.000001').minor).toBe(1n);
  });

  it('adds and subtracts, and parses what it writes', () => {
    fc.assert(
      fc.property(asset, minorUnits, minorUnits, (id, x, y) => {
        const a = Money.of(id, x);
        const b = Money.of(id, y);
        const sum = a.plus(b);
        return (
          sum.minor === x + y &&
          sum.minus(b).equals(a) &&
          a.plus(a.negate()).isZero() &&
          Money.stored(id, a.toString()).equals(a) &&
          a.compare(b) === (x < y ? -1 : x > y ? 1 : 0) &&
          b.compare(a) + a.compare(b) === 0 &&
          [a.isNegative(), a.isZero(), a.isPositive()].filter(Boolean).length === 1 &&
          a.minor === x
        );
      }),
      { numRuns: 20_000 },
    );
    expect(Money.zero('fiat/brl').equals(Money.of('fiat/brl', 0n))).toBe(true);
  });

  it('never combines different assets, not even the same token on two chains', () => {
    const base = Money.of('eth-base/brlv', 1n);
    const tempo = Money.of('tempo/brlv', 1n);
    for (const action of [
      () => base.plus(tempo),
      () => base.minus(tempo),
      () => base.compare(tempo),
      () => base.equals(tempo),
    ]) {
      expect(action).toThrow(TypeError);
    }
  });

  it('accepts a stored amount only in the form that it writes', () => {
    for (const text of ['1', '1.0', '1.000', '', '+1.00', '1e2', ' 1.00', '--1.00']) {
      expect(() => Money.stored('fiat/brl', text)).toThrow(TypeError);
    }
  });

  it('rounds down to fewer decimals only on request, and otherwise refuses an amount that would lose digits', () => {
    const exact = Money.parse('tempo/brlv', '1.5');
    const dusty = Money.parse('tempo/brlv', '1.5000001');
    expect(toOnChain(exact)).toBe(1_500_000n);
    expect(codeOf(() => toOnChain(dusty))).toBe('amount-scale-exceeded');
    expect(toOnChainFloor(dusty)).toEqual({ units: 1_500_000n, remainder: Money.parse('tempo/brlv', '0.0000001') });
    expect(toOnChain(Money.parse('eth-base/brlv', '1.000000000000000001'))).toBe(10n ** 18n + 1n);
    fc.assert(
      fc.property(
        fc.constantFrom(...ASSET_IDS.filter(isToken)),
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        (id, minor) => {
          const { units, remainder } = toOnChainFloor(Money.of(id, minor));
          return (
            fromOnChain(id, units).plus(remainder).minor === minor &&
            !remainder.isNegative() &&
            fromOnChain(id, 1n).minor > remainder.minor
          );
        },
      ),
      { numRuns: 5_000 },
    );
    expect(() => toOnChain(Money.of('fiat/brl', 1n))).toThrow(TypeError);
    expect(() => fromOnChain('fiat/usd', 1n)).toThrow(TypeError);
    expect(() => toOnChain(Money.of('eth-base/usdc', -1n))).toThrow(RangeError);
  });
});

describe('Rate', () => {
  it('has 10 decimals, rounded down', () => {
    expect(Rate.parse('USDC', 'BRL', '5.3412').toString()).toBe('5.3412000000');
    expect(Rate.parse('USDC', 'BRL', '5.34129999999999').toString()).toBe('5.3412999999');
    expect(Rate.parse('USDC', 'BRL', '5.3412e0').scaled).toBe(53_412_000_000n);
    expect(Rate.of('BRLV', 'BRL', 10n ** BigInt(RATE_SCALE)).toString()).toBe('1.0000000000');
    expect(Rate.parse('USDC', 'BRL', '1e-10').scaled).toBe(1n);
    expect(Rate.parse('USDC', 'BRL', '9.99999999999999999999999').toString()).toBe('9.9999999999');
  });

  it('is above zero and below a plausible limit', () => {
    const refused = [
      '0',
      '0.00000000009',
      '-5',
      '',
      'NaN',
      'Infinity',
      '1e999999',
      '1e99',
      '9e18',
      '1e18',
      '1000000000000000000',
      '5,34',
      ' 5',
      '1'.repeat(65),
    ];
    expect(refused.map((text) => codeOf(() => Rate.parse('USDC', 'BRL', text)))).toEqual(
      refused.map(() => 'invalid-format'),
    );
    expect(() => Rate.of('USDC', 'BRL', 0n)).toThrow(RangeError);
    expect(() => Rate.of('USDC', 'BRL', -1n)).toThrow(RangeError);
    expect(() => Rate.of('USDC', 'BRL', 10n ** 28n)).toThrow(RangeError);
    expect(Rate.parse('USDC', 'BRL', '999999999999999999.99999999999').scaled).toBe(10n ** 28n - 1n);
  });

  it('refuses a value that is not a text, which a feed may send for a number', () => {
    for (const value of [5.34, null, { toString: () => '5.34' }]) {
      expect(codeOf(() => Rate.parse('USDC', 'BRL', value as never))).toBe('invalid-format');
    }
  });

  it('parses what it writes', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 28n - 1n }), (scaled) => {
        const rate = Rate.of('USDC', 'BRL', scaled);
        return Rate.parse('USDC', 'BRL', rate.toString()).scaled === scaled;
      }),
      { numRuns: 10_000 },
    );
  });
});
