import 'reflect-metadata';
import type { WalletRecord } from '@ponte/contracts';
import { GetWalletBalances, ProvisionWallets } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';

const { open } = movementsForEachTest();
const accountId = derivedId('account', 'seller');

let movements: MovementsUnderTest;
let wallet: WalletRecord;

beforeEach(async () => {
  movements = await open().start();
  const { wallets } = await movements.bus.request(ProvisionWallets, { accountId, parentId: null }, movements.context());
  wallet = wallets.find(({ chain }) => chain === 'eth-base') as WalletRecord;
});

const balances = (walletId: string, owner = accountId) =>
  movements.bus.request(GetWalletBalances, { accountId: owner, walletId }, movements.context());

describe('the balances of a wallet', () => {
  it('are those on its chain, one for each of its assets, with the decimal places of the asset', async () => {
    movements.base.fund('eth-base/usdc', wallet.address as Hex, 1_500_000n);
    movements.base.fund('eth-base/brlv', wallet.address as Hex, 2_500_000n);
    const shown = await balances(wallet.id);
    expect(shown.balances.map(({ asset }) => asset)).toEqual(wallet.assets);
    expect(shown.balances).toContainEqual({ asset: 'eth-base/usdc', amount: '1.500000' });
    expect(shown.balances).toContainEqual({ asset: 'eth-base/usdt', amount: '0.000000' });
    expect(new Date(shown.asOf).toISOString()).toBe(shown.asOf);
  });

  it('are not shown to another account', async () => {
    await expect(balances(wallet.id, derivedId('account', 'other'))).rejects.toMatchObject({
      code: 'wallet-not-found',
    });
    await expect(balances(derivedId('wallet', 'none'))).rejects.toMatchObject({ code: 'wallet-not-found' });
  });

  it('are refused while the chain does not answer', async () => {
    movements.base.setReachable(false);
    await expect(balances(wallet.id)).rejects.toMatchObject({ code: 'chain-unavailable' });
  });
});
