import { WalletCreated } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { wallet, walletIdOf } from './wallet.decider';
import { AT, accountId } from '../transactions/chain-transaction.testing';

describe('a wallet', () => {
  const walletId = walletIdOf('account', 'tempo');
  const create = {
    kind: 'create',
    walletId,
    accountId,
    parentId: null,
    name: 'Main wallet tempo',
    chain: 'tempo',
    address: '0x1',
    uiEnabled: true,
    metadata: {},
    at: AT,
  } as const;
  const created = new WalletCreated({
    walletId,
    accountId,
    parentId: null,
    name: 'Main wallet tempo',
    chain: 'tempo',
    address: '0x1',
    assets: ['tempo/brlv'],
    uiEnabled: true,
    metadata: {},
    createdAt: AT,
  });

  it('is created once, and keeps its first address', () => {
    scenario(wallet).given().when(create).then(created);
    scenario(wallet)
      .given(created)
      .when({ ...create, address: '0x2' })
      .then();
    expect(scenario(wallet).given(created).state()).toMatchObject({ id: walletId, address: '0x1', createdAt: AT });
  });

  it('has an id that follows from account and chain, so that an account has one on each', () => {
    expect(walletIdOf('account', 'tempo')).not.toBe(walletIdOf('account', 'eth-base'));
  });
});
