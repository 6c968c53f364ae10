import type { AssetId } from '@ponte/kernel';
import type { QuoteStep } from '@ponte/contracts';
import { explain } from './explain.domain';
import { quoteOf } from './explained-quotes.testing';

describe('the explanation of a quote', () => {
  const named = (steps: readonly QuoteStep[]) => Object.fromEntries(steps.map(({ name, value }) => [name, value]));
  const fxSteps = (source: AssetId, target: AssetId, side: 'source' | 'target', amount: string) => {
    const quote = quoteOf(source, target, side, amount, 53_412_000_000n, null);
    if (!quote) throw new Error('refused');
    return named(explain(quote));
  };

  it('has each step of the formula with its value', () => {
    expect(fxSteps('fiat/brl', 'eth-base/usdc', 'source', '1000.00')).toEqual({
      R: '5.3346059259',
      s: '0.0080',
      f: '2.00',
      S: '1000.00',
      A: '998.00',
      iof: '33.75',
      B: '964.25',
      spread: '7.66',
      M: '956.59',
      T: '179.317837',
      VET: expect.any(String) as unknown,
    });
    expect(fxSteps('fiat/brl', 'eth-base/usdt', 'target', '100')).toMatchObject({
      T: '100.000000',
      m: '533.4605925900000000',
      spread: '4.27',
    });
    expect(fxSteps('eth-base/usdc', 'fiat/brl', 'source', '100')).toMatchObject({
      U: '100.000000',
      m: '533.4605925900000000',
      b: '529.19',
      spread: '4.27',
      N: '525.17',
    });
    expect(fxSteps('eth-base/usdc', 'fiat/brl', 'target', '500')).toMatchObject({
      N: '500.00',
      B: '502.00',
      b: '503.92',
      iof: '1.92',
      spread: '4.07',
      G: '507.99',
    });
  });

  it('covers conversions at par and by the share price', () => {
    expect(fxSteps('fiat/brl', 'eth-base/brlv', 'source', '10.019')).toMatchObject({
      R: '1.0000000000',
      BRL: '10.01',
      tokens: '10.010000000000000000',
    });
    expect(fxSteps('eth-base/wbrly', 'fiat/brl', 'source', '10.5')).toMatchObject({
      R: '1.0682400000',
      BRL: '11.21',
      tokens: '10.500000000000000000',
    });
  });
});
