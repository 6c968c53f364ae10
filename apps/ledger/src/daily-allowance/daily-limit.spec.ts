import { limitOf } from './daily-limit';

describe('The daily limit of an asset', () => {
  it('is the number of withdrawals of a token, if nothing else is configured', () => {
    const of = limitOf.bind(null, { withdrawalLimits: {} });
    expect(of('eth-base/usdc')).toEqual({ amount: null, count: 1_000 });
    expect(of('tempo/brlv')).toEqual({ amount: null, count: 1_000 });
    expect(of('eth-mainnet/usdc')).toEqual({ amount: null, count: 100 });
    expect(of('fiat/brl')).toEqual({ amount: null, count: null });
  });

  it('is the configured one, with the default number if a token has only an amount', () => {
    const withdrawalLimits = {
      'eth-base/usdc': { amount: '900', count: null },
      'eth-mainnet/usdc': { amount: null, count: 5 },
      'fiat/brl': { amount: '1000.00', count: null },
    };
    const of = limitOf.bind(null, { withdrawalLimits });
    expect(of('eth-base/usdc')).toEqual({ amount: '900', count: 1_000 });
    expect(of('eth-mainnet/usdc')).toEqual({ amount: null, count: 5 });
    expect(of('fiat/brl')).toEqual({ amount: '1000.00', count: null });
  });
});
