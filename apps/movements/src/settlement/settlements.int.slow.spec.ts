import 'reflect-metadata';
import type { SettlementKind, SettlementPayload, TransactionConfirmed, WalletRecord } from '@ponte/contracts';
import { GetAccountWallets, GetSettlement, ProvisionWallets, RequestSettlement } from '@ponte/contracts';
import type { AssetId, Chain } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { MovementsUnderTest } from '../testing/movements-under-test';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { Hex } from '../chain/chain.port';

let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
let wallets: readonly WalletRecord[];
beforeEach(async () => {
  folder = temporaryFolder();
  movements = await new MovementsUnderTest(folder.path).start();
  await provision();
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

const ACCOUNT = 'account';
const USDC: AssetId = 'eth-base/usdc';
const SHARES: AssetId = 'eth-base/wbrly';
const TOKEN = 10n ** 18n;

async function provision(): Promise<void> {
  await movements.bus.request(ProvisionWallets, { accountId: ACCOUNT, parentId: null }, movements.context());
  wallets = (await movements.bus.request(GetAccountWallets, { accountId: ACCOUNT }, movements.context())).wallets;
}
const own = (chain: Chain = 'eth-base'): Hex => wallets.find((one) => one.chain === chain)?.address as Hex;
const treasury = (): Hex => movements.base.walletAddress(saltOf(treasuryWalletId('eth-base')));
const payload = (name: string, kind: SettlementKind, more: Partial<SettlementPayload>): SettlementPayload => ({
  settlementId: derivedId('settlement', name),
  orderId: derivedId('order', name),
  accountId: ACCOUNT,
  kind,
  asset: 'eth-base/brlv',
  amount: '2.500000000000000000',
  wallet: own(),
  brlAmount: '2.50',
  ...more,
});
const request = (name: string, kind: SettlementKind, more: Partial<SettlementPayload> = {}) =>
  movements.bus.request(RequestSettlement, payload(name, kind, more), movements.context());
const stateOf = async (name: string, kind: SettlementKind) =>
  (
    await movements.bus.request(
      GetSettlement,
      { settlementId: derivedId('settlement', name), kind },
      movements.context(),
    )
  )?.state;

async function settled(
  name: string,
  kind: SettlementKind,
  more: Partial<SettlementPayload> = {},
  state = 'completed',
): Promise<void> {
  await request(name, kind, more);
  await eventually(async () => expect(await stateOf(name, kind)).toBe(state));
}
const balance = (asset: AssetId, holder: Hex, chain: SimulatedChain = movements.base) =>
  chain.tokenBalance(asset, holder);
const purposes = () =>
  movements.ofType('TransactionConfirmed').map(({ data }) => (data as TransactionConfirmed['data']).purpose);

describe('a settlement of an order', () => {
  it('mints BRLV, and burns it from the wallet that the order names', async () => {
    await settled('buy', 'mint');
    expect(await balance('eth-base/brlv', own())).toBe((5n * TOKEN) / 2n);
    await settled('sell', 'burn', { amount: '1.000000000000000000', brlAmount: '1.00' });
    expect(await balance('eth-base/brlv', own())).toBe((3n * TOKEN) / 2n);
    expect(purposes()).toMatchObject([
      { kind: 'mint', orderId: derivedId('order', 'buy') },
      { kind: 'redemption', orderId: derivedId('order', 'sell') },
    ]);
  });

  it('converts to and from the six decimals of Tempo, and refuses amounts that they cannot express', async () => {
    const tempo = movements.chains.get('tempo') as SimulatedChain;
    const there = { asset: 'tempo/brlv', wallet: own('tempo') } as const;
    await settled('tempo-buy', 'mint', there);
    expect(await balance('tempo/brlv', own('tempo'), tempo)).toBe(2_500_000n);
    await settled('tempo-sell', 'burn', there);
    expect(await balance('tempo/brlv', own('tempo'), tempo)).toBe(0n);
    const tooFine = request('tempo-fine', 'burn', { ...there, amount: '1.000000000000000001' });
    await expect(tooFine).rejects.toMatchObject({ code: 'amount-scale-exceeded' });
  });

  it('buys vault shares for at most what the order paid, and redeems them for at least what it pays out', async () => {
    await settled('dear', 'vault-deposit', { asset: SHARES, brlAmount: '2.49' }, 'failed');
    await settled('deposit', 'vault-deposit', { asset: SHARES });
    expect(await balance(SHARES, own())).toBe((5n * TOKEN) / 2n);
    await settled('cheap', 'vault-redeem', { asset: SHARES, brlAmount: '2.51' }, 'failed');
    expect(await balance(SHARES, own())).toBe((5n * TOKEN) / 2n);
    await settled('redeem', 'vault-redeem', { asset: SHARES });
    expect(await balance(SHARES, own())).toBe(0n);
  });

  it('pays USDC from the treasury wallet and receives USDC there', async () => {
    movements.base.fund(USDC, treasury(), 5_000_000n);
    movements.base.mine();
    const usdc = { asset: USDC, amount: '2.000000', brlAmount: '10.70' } as const;
    await settled('pay', 'treasury-payment', usdc);
    expect([await balance(USDC, treasury()), await balance(USDC, own())]).toEqual([3_000_000n, 2_000_000n]);
    await settled('receive', 'treasury-receipt', usdc);
    expect([await balance(USDC, treasury()), await balance(USDC, own())]).toEqual([5_000_000n, 0n]);
    expect(purposes()).toMatchObject([
      {
        kind: 'token-movement',
        owner: { kind: 'order' },
        walletIds: [treasuryWalletId('eth-base')],
        receiver: { accountId: ACCOUNT },
      },
      { kind: 'token-movement', owner: { kind: 'order' }, to: treasury(), receiver: null },
    ]);
  });

  it('fails when the wallet holds too little, and moves nothing', async () => {
    await settled('nothing-to-burn', 'burn', {}, 'failed');
    expect(await balance('eth-base/brlv', own())).toBe(0n);
  });

  it('is one transaction however often it is requested, even after a crash', async () => {
    await settled('buy', 'mint');
    const { struck } = movements.store.faults.next({
      kind: 'crash-after-append',
      match: (_, events) => events.some(({ type }) => type === 'TransactionIntended'),
    });
    const lost = request('sell', 'burn').catch(() => undefined);
    await struck;
    await movements.stop();
    await lost;
    await movements.start();
    await eventually(() => settled('sell', 'burn'));
    await settled('sell', 'burn');
    expect(await balance('eth-base/brlv', own())).toBe(0n);
    expect(movements.ofType('TransactionConfirmed')).toHaveLength(2);
  });

  it('is unavailable while the list of wallets lacks the wallet, and refuses a token without a contract', async () => {
    await expect(request('unknown', 'burn', { wallet: `0x${'12'.repeat(20)}` })).rejects.toMatchObject({
      code: 'service-unavailable',
    });
    await expect(request('fiat', 'mint', { asset: 'fiat/brl' })).rejects.toMatchObject({ code: 'asset-not-supported' });
    expect(await stateOf('unknown', 'burn')).toBeUndefined();
  });

  it('is searched by its reference, so that a settlement that is on the chain is never sent again', async () => {
    await settled('buy', 'mint');
    await settled('sell', 'burn');
    await settled('deposit', 'vault-deposit', { asset: SHARES });
    await settled('redeem', 'vault-redeem', { asset: SHARES });
    movements.log = new (movements.log.constructor as new () => typeof movements.log)();
    await movements.stop();
    folder.remove();
    folder = temporaryFolder();
    await movements.start(folder.path);
    await provision();
    await settled('sell', 'burn');
    await settled('deposit', 'vault-deposit', { asset: SHARES });
    await settled('redeem', 'vault-redeem', { asset: SHARES });
    expect(movements.ofType('TransactionSigned')).toHaveLength(0);
  });
});
