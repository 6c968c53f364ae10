import type { AssetId } from '@ponte/kernel';
import { saltOf, treasuryWalletId } from '../../wallet/wallet.decider';
import { openChains } from './open-chains';

describe('simulated chains', () => {
  it.each(['eth-base', 'eth-mainnet'] as const)('have a treasury that can pay on %s', async (chain) => {
    const { chains } = await openChains({
      which: { kind: 'simulated' },
      folder: '',
      keystore: { kind: 'file', passphrase: 'x' },
      operatorKeyIds: ['operator'],
      environment: 'sandbox',
    });
    const { evm } = chains.of(chain);
    const treasury = evm.walletAddress(saltOf(treasuryWalletId(chain)));
    for (const symbol of ['usdc', 'usdt']) {
      const balance = await evm.tokenBalance(`${chain}/${symbol}` as AssetId, treasury);
      expect([symbol, balance]).toEqual([symbol, 100_000_000_000_000n]);
    }
  });
});
