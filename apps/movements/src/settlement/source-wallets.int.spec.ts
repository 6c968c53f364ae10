import 'reflect-metadata';
import type { SettlementKind, WalletRecord } from '@ponte/contracts';
import { CreateWallet, GetSettlement, ProvisionWallets, RequestSettlement, ResolveWallet } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';

const { open } = movementsForEachTest();
const accountId = derivedId('account', 'seller');
const USDC = 'eth-base/usdc';

let movements: MovementsUnderTest;
let [main, savings] = ['0x', '0x'] as Hex[];

const addressOf = ({ address }: Pick<WalletRecord, 'address'>): Hex => address as Hex;
const balanceOf = (wallet: Hex | undefined, asset: AssetId = USDC) =>
  movements.base.tokenBalance(asset, wallet ?? '0x');

beforeEach(async () => {
  movements = await open().start();
  const { wallets } = await movements.bus.request(ProvisionWallets, { accountId, parentId: null }, movements.context());
  main = wallets.filter(({ chain }) => chain === 'eth-base').map(addressOf)[0];
  const terms = { name: 'Savings', chain: 'eth-base', metadata: {}, uiEnabled: false } as const;
  const created = { accountId, walletId: derivedId('wallet', 'savings'), ...terms };
  savings = addressOf(await movements.bus.request(CreateWallet, created, movements.context()));
});

/** The wallet that would pay, and whether it is known to hold too little. */
async function payer(amount: string, address: Hex | null = null) {
  const query = { accountId, chain: 'eth-base', address, tokens: { asset: USDC, amount }, pays: true } as const;
  const { relation, lacksTokens } = await movements.bus.request(ResolveWallet, query, movements.context());
  return [relation?.address, lacksTokens];
}

describe('the wallet that pays for an order', () => {
  beforeEach(() => {
    movements.base.fund(USDC, main ?? '0x', 1_000_000n);
    movements.base.fund(USDC, savings ?? '0x', 3_000_000n);
  });

  it('is the named one, which must hold the whole amount', async () => {
    expect(await payer('3.000000', savings)).toEqual([savings, false]);
    expect(await payer('3.000001', savings)).toEqual([savings, true]);
    expect(await payer('1.000001', main)).toEqual([main, true]);
  });

  it('is the main one if none is named, or another one that holds the whole amount', async () => {
    expect(await payer('1.000000')).toEqual([main, false]);
    expect(await payer('3.000000')).toEqual([savings, false]);
    // Together they hold 4.
    expect(await payer('4.000000')).toEqual([main, true]);
  });

  it('is not checked while the chain does not answer, because the chain decides later', async () => {
    movements.base.setReachable(false);
    expect(await payer('4.000000')).toEqual([main, false]);
    expect(await payer('4.000000', savings)).toEqual([savings, false]);
  });

  it('does not make a request wait while the chain hangs', async () => {
    jest.spyOn(movements.base, 'tokensAt').mockReturnValue(new Promise(() => undefined));
    expect(await payer('4.000000')).toEqual([main, false]);
    expect(await payer('4.000000', savings)).toEqual([savings, false]);
  });

  it('is not checked if it only receives tokens', async () => {
    const query = { accountId, chain: 'eth-base', address: savings ?? null } as const;
    const tokens = { asset: USDC, amount: '4.000000' } as const;
    const resolved = await movements.bus.request(ResolveWallet, { ...query, tokens }, movements.context());
    expect(resolved).toMatchObject({ relation: { address: savings }, lacksTokens: false });
  });
});

it('is not checked if it is the only one of the account on the chain, because the ledger knows its balance', async () => {
  const alone = derivedId('account', 'alone');
  await movements.bus.request(ProvisionWallets, { accountId: alone, parentId: null }, movements.context());
  const tokens = { asset: USDC, amount: '4.000000' } as const;
  const query = { accountId: alone, chain: 'eth-base', address: null, tokens, pays: true } as const;
  const resolved = await movements.bus.request(ResolveWallet, query, movements.context());
  expect(resolved).toMatchObject({ relation: { kind: 'internal' }, lacksTokens: false });
});

describe.each<[SettlementKind, AssetId, string, bigint]>([
  ['treasury-receipt', USDC, '2.000000', 2_000_000n],
  ['burn', 'eth-base/brlv', '2.500000000000000000', 25n * 10n ** 17n],
  ['vault-redeem', 'eth-base/wbrly', '2.500000000000000000', 25n * 10n ** 17n],
])('a %s of %s', (kind, asset, amount, units) => {
  const settlementId = derivedId('settlement', kind);
  const request = () =>
    movements.bus.request(
      RequestSettlement,
      {
        settlementId,
        orderId: derivedId('order', kind),
        accountId,
        kind,
        asset,
        amount,
        wallet: savings ?? '',
        brlAmount: '2.50',
      },
      movements.context(),
    );
  const ends = (state: string) =>
    eventually(async () => {
      const settlement = await movements.bus.request(GetSettlement, { settlementId, kind }, movements.context());
      expect(settlement?.state).toBe(state);
    });

  it('takes all tokens from the wallet of the order', async () => {
    movements.base.fund(asset, main ?? '0x', units);
    movements.base.fund(asset, savings ?? '0x', units);
    await request();
    await ends('completed');
    expect([await balanceOf(main, asset), await balanceOf(savings, asset)]).toEqual([units, 0n]);
  });

  it('fails if that wallet holds too little, and takes nothing from another one', async () => {
    movements.base.fund(asset, main ?? '0x', units);
    movements.base.fund(asset, savings ?? '0x', units - 1n);
    await request();
    await ends('failed');
    expect([await balanceOf(main, asset), await balanceOf(savings, asset)]).toEqual([units, units - 1n]);
  });
});
