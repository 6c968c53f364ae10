import fc from 'fast-check';
import { capped, isMarketHigher, replacementFee } from './fees';

const GWEI = 1_000_000_000n;
const GAS = 100n;
const fee = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas });
const limits = (perGas: bigint, tip = perGas, maxFee = perGas * GAS) => ({ ...fee(perGas, tip), maxFee });

describe('the fees of a replacement', () => {
  it('are both raised by at least an eighth, rounded up', () => {
    expect(replacementFee(fee(80n, 8n), fee(10n, 1n), limits(1_000n), GAS)).toEqual(fee(90n, 9n));
    expect(replacementFee(fee(81n, 1n), fee(10n, 1n), limits(1_000n), GAS)).toEqual(fee(92n, 2n));
  });

  it('are the market fees when those are higher, within the limits', () => {
    expect(replacementFee(fee(80n, 8n), fee(500n, 40n), limits(1_000n), GAS)).toEqual(fee(500n, 40n));
    expect(replacementFee(fee(80n, 8n), fee(5_000n, 40n), limits(1_000n), GAS)).toEqual(fee(1_000n, 40n));
    expect(replacementFee(fee(80n, 8n), fee(5_000n, 40n), limits(1_000n, 40n, 99_999n), GAS)).toEqual(fee(999n, 40n));
  });

  it('have the tip of the market only up to its limit, and more if an eighth demands it', () => {
    expect(replacementFee(fee(80n, 8n), fee(500n, 400n), limits(1_000n, 20n), GAS)).toEqual(fee(120n, 20n));
    expect(replacementFee(fee(80n, 20n), fee(500n, 400n), limits(1_000n, 20n), GAS)).toEqual(fee(120n, 23n));
  });

  it('do not exist when an eighth more exceeds a limit, because a node would refuse less', () => {
    expect(replacementFee(fee(1_000n, 8n), fee(10n, 1n), limits(1_000n), GAS)).toBeNull();
    expect(replacementFee(fee(80n, 8n), fee(10n, 1n), limits(1_000n, 1_000n, 8_999n), GAS)).toBeNull();
  });

  it('are accepted by every node, never exceed the limits, and never have a tip above the whole fee', () => {
    const any = fc.bigInt({ min: 1n, max: 2_000n * GWEI });
    const any3 = fc.tuple(any, any, any);
    fc.assert(
      fc.property(any, any, any, any, any3, (a, b, c, d, [perGas, tip, perTransaction]) => {
        const all = limits(perGas, tip, perTransaction * GAS);
        const before = capped(fee(a > b ? a : b, a > b ? b : a), all, GAS);
        const raised = replacementFee(before, fee(c > d ? c : d, c > d ? d : c), all, GAS);
        if (raised === null) return;
        expect(raised.maxFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxFeePerGas * 9n);
        expect(raised.maxPriorityFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxPriorityFeePerGas * 9n);
        expect(raised.maxFeePerGas).toBeLessThanOrEqual(perGas);
        expect(raised.maxFeePerGas).toBeLessThanOrEqual(perTransaction);
        expect(raised.maxPriorityFeePerGas).toBeLessThanOrEqual(raised.maxFeePerGas);
      }),
    );
  });

  it('are needed when either market fee is higher', () => {
    expect([
      isMarketHigher(fee(5n, 1n), fee(5n, 1n)),
      isMarketHigher(fee(6n, 1n), fee(5n, 1n)),
      isMarketHigher(fee(5n, 2n), fee(5n, 1n)),
    ]).toEqual([false, true, true]);
  });
});

describe('the fees of the first bytes', () => {
  it('are those of the market without what exceeds the highest tip', () => {
    expect(capped(fee(90n, 30n), limits(1_000n, 40n), GAS)).toEqual(fee(90n, 30n));
    expect(capped(fee(4_060n, 4_000n), limits(1_000n, 5n), GAS)).toEqual(fee(65n, 5n));
  });

  it('are never more than the whole gas limit may cost', () => {
    expect(capped(fee(900n, 1n), limits(1_000n, 5n, 20_099n), GAS)).toEqual(fee(200n, 1n));
  });
});
