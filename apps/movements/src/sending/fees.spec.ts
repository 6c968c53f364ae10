import fc from 'fast-check';
import { capped, isMarketHigher, replacementFee } from './fees';

const GWEI = 1_000_000_000n;
const fee = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint) => ({ maxFeePerGas, maxPriorityFeePerGas });

describe('the fees of a replacement', () => {
  it('are both raised by at least an eighth, rounded up', () => {
    expect(replacementFee(fee(80n, 8n), fee(10n, 1n), 1_000n)).toEqual(fee(90n, 9n));
    expect(replacementFee(fee(81n, 1n), fee(10n, 1n), 1_000n)).toEqual(fee(92n, 2n));
  });

  it('are the market fees when those are higher, within the cap', () => {
    expect(replacementFee(fee(80n, 8n), fee(500n, 40n), 1_000n)).toEqual(fee(500n, 40n));
    expect(replacementFee(fee(80n, 8n), fee(5_000n, 40n), 1_000n)).toEqual(fee(1_000n, 40n));
  });

  it('do not exist when an eighth more exceeds the cap, because a node would refuse less', () => {
    expect(replacementFee(fee(1_000n, 8n), fee(10n, 1n), 1_000n)).toBeNull();
  });

  it('are accepted by every node, never exceed the cap, and never have a tip above the whole fee', () => {
    const any = fc.bigInt({ min: 1n, max: 2_000n * GWEI });
    fc.assert(
      fc.property(any, any, any, any, any, (a, b, c, d, cap) => {
        const before = capped(fee(a > b ? a : b, a > b ? b : a), cap);
        const raised = replacementFee(before, capped(fee(c > d ? c : d, c > d ? d : c), cap * 2n), cap);
        if (raised === null) return;
        expect(raised.maxFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxFeePerGas * 9n);
        expect(raised.maxPriorityFeePerGas * 8n).toBeGreaterThanOrEqual(before.maxPriorityFeePerGas * 9n);
        expect(raised.maxFeePerGas).toBeLessThanOrEqual(cap);
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
