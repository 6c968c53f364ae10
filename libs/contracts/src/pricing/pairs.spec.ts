import { ASSET_IDS } from '@ponte/kernel';
import { ORDERABLE_PAIRS, pairOf, PAIRS, PRICED_TOKENS } from './pairs';

describe('the table of pairs', () => {
  it('has both directions between BRL and each token of the contract, and no other pair', () => {
    expect(new Set(PRICED_TOKENS)).toEqual(
      new Set(ASSET_IDS.filter((id) => !['fiat/brl', 'fiat/usd', 'eth-base/brly'].includes(id))),
    );
    const known = ASSET_IDS.flatMap((source) =>
      ASSET_IDS.filter((target) => pairOf(source, target)).map((target) => `${source} ${target}`),
    );
    expect(known.sort()).toEqual(PRICED_TOKENS.flatMap((token) => [`fiat/brl ${token}`, `${token} fiat/brl`]).sort());
    expect(pairOf('fiat/brl', 'constructor' as never)).toBeUndefined();
  });

  it('lists 16 pairs, all of which can be ordered', () => {
    expect(ORDERABLE_PAIRS).toEqual(PAIRS);
    expect(ORDERABLE_PAIRS).toHaveLength(16);
  });

  it('has the wallets, payment methods and Pix keys of the contract', () => {
    const requiring = PAIRS.filter(({ sourceWallet }) => sourceWallet === 'required').map(({ source }) => source);
    expect(new Set(requiring)).toEqual(new Set(['eth-mainnet/brlv', 'eth-base/brlv', 'eth-base/wbrly']));
    expect(PAIRS.filter(({ fxWhitelist }) => fxWhitelist).map(({ target }) => target)).toEqual([
      'eth-base/usdc',
      'eth-mainnet/usdc',
      'eth-base/usdt',
      'eth-mainnet/usdt',
    ]);
    expect(PAIRS.filter(({ paymentMethods }) => paymentMethods.includes('brcode')).map(({ target }) => target)).toEqual(
      [
        'tempo/brlv',
        'eth-base/brlv',
        'eth-mainnet/brlv',
        'eth-base/usdc',
        'eth-mainnet/usdc',
        'eth-base/usdt',
        'eth-mainnet/usdt',
      ],
    );
    expect(PAIRS.filter(({ pixKey }) => pixKey).map(({ source }) => source)).toEqual([
      'tempo/brlv',
      'eth-base/brlv',
      'eth-mainnet/brlv',
      'eth-base/usdc',
      'eth-mainnet/usdc',
    ]);
    expect(PAIRS.filter(({ pixKey }) => pixKey).every(({ target }) => target === 'fiat/brl')).toBe(true);
  });
});
