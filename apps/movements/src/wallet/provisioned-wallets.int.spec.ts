import 'reflect-metadata';
import {
  AccountOpened,
  GetAccountWallets,
  GetChains,
  GetWhitelistedWallets,
  ProvisionWallets,
  ResolveWallet,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { TO } from '../testing/movements-under-test';

const { open } = movementsForEachTest();

describe('wallets', () => {
  it('are created once on every chain when an account is opened, each with its own address', async () => {
    const movements = await open().start();
    for (const [accountId, parentId] of [
      ['partner', null],
      ['child', 'partner'],
    ] as const) {
      const opened = new AccountOpened({ accountId, parentId } as AccountOpened['data']);
      const meta = {
        commandId: accountId,
        index: 0,
        count: 1,
        occurredAt: '2026-01-01T00:00:00.000Z',
        correlationId: accountId,
      };
      await movements.store.append(`account-${accountId}`, -1, [
        { id: eventId(accountId, 0), type: opened.type, version: 1, data: opened.data, meta },
      ]);
    }
    const wallets = await eventually(async () => {
      const answer = await movements.bus.request(GetAccountWallets, { accountId: 'child' }, movements.context());
      expect(answer.wallets).toHaveLength(3);
      return answer.wallets;
    });
    expect(wallets.map(({ chain }) => chain)).toEqual(CHAINS);
    expect(new Set(wallets.map(({ address }) => address)).size).toBe(3);
    expect(wallets[1]).toMatchObject({
      name: 'Main wallet eth-base',
      assets: ['eth-base/brlv', 'eth-base/usdt', 'eth-base/wbrly', 'eth-base/usdc', 'eth-base/brly'],
    });
    const again = await movements.bus.request(
      ProvisionWallets,
      { accountId: 'child', parentId: 'partner' },
      movements.context(),
    );
    expect(again.wallets).toEqual(wallets);
    await eventually(() => expect(movements.ofType('WalletCreated')).toHaveLength(6));
  });

  it("resolve to the account's own wallet or to an address that is not whitelisted", async () => {
    const movements = await open().start();
    movements.bus.handle(GetWhitelistedWallets.pattern, async () => ({ wallets: [] }));
    const { wallets } = await movements.bus.request(
      ProvisionWallets,
      { accountId: 'a', parentId: null },
      movements.context(),
    );
    const [, own] = wallets;
    const resolve = async (address: string | null, accountId = 'a') => {
      const query = { accountId, chain: 'eth-base', address, tokens: null } as const;
      return (await movements.bus.request(ResolveWallet, query, movements.context())).relation;
    };
    const internal = { kind: 'internal', walletId: own?.id, address: own?.address };
    await expect(resolve(null)).resolves.toEqual(internal);
    await expect(resolve(own?.address.toUpperCase().replace('0X', '0x') ?? '')).resolves.toEqual(internal);
    await expect(resolve(TO)).resolves.toEqual({
      kind: 'external',
      address: TO,
      whitelisted: false,
      fxWhitelisted: false,
    });
    await expect(resolve(own?.address ?? '', 'b')).resolves.toEqual({
      kind: 'external',
      address: own?.address,
      whitelisted: false,
      fxWhitelisted: false,
      ofAnotherAccount: true,
    });
    await expect(resolve(null, 'b')).resolves.toBeNull();
    await expect(resolve('not an address')).resolves.toBeNull();
  });

  it('outside our custody are whitelisted on every chain, and for FX, as onboarding reports them for the account', async () => {
    const movements = await open().start();
    const fx: Hex = `0x${'cd'.repeat(20)}`;
    movements.bus.handle(GetWhitelistedWallets.pattern, async (payload) => ({
      wallets:
        (payload as { accountId: string }).accountId === 'a'
          ? [
              { address: TO, fx: false },
              { address: fx, fx: true },
            ]
          : [],
    }));
    const resolve = async (chain: Chain, address: string, accountId = 'a') => {
      const query = { accountId, chain, address, tokens: null };
      return (await movements.bus.request(ResolveWallet, query, movements.context())).relation;
    };
    for (const chain of CHAINS) {
      await expect(resolve(chain, TO)).resolves.toEqual({
        kind: 'external',
        address: TO,
        whitelisted: true,
        fxWhitelisted: false,
      });
      await expect(resolve(chain, fx.toUpperCase().replace('0X', '0x'))).resolves.toEqual({
        kind: 'external',
        address: fx,
        whitelisted: true,
        fxWhitelisted: true,
      });
    }
    await expect(resolve('eth-base', TO, 'b')).resolves.toMatchObject({
      kind: 'external',
      whitelisted: false,
      fxWhitelisted: false,
    });
  });

  it('are on chains whose ids and contracts can be read', async () => {
    const movements = await open().start();
    const { chains } = await movements.bus.request(GetChains, {}, movements.context());
    expect(chains.map(({ chain, chainId }) => [chain, chainId])).toEqual([
      ['eth-mainnet', 1],
      ['eth-base', 8453],
      ['tempo', 4217],
    ]);
    expect(chains[2]?.tokens).toEqual([
      { asset: 'tempo/brlv', address: movements.chains.get('tempo')?.deployment.tokens['tempo/brlv'], decimals: 6 },
    ]);
  });
});
