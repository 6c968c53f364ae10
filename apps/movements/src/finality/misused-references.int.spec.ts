import 'reflect-metadata';
import type { SettlementKind, SettlementPayload } from '@ponte/contracts';
import { GetAccountWallets, GetSettlement, ProvisionWallets, RequestSettlement } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { signed } from '../chain/adapters/chain-under-test.testing';
import type { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import type { ContractCall, EvmChain, Hex } from '../chain/chain.port';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import type { MovementsUnderTest } from '../testing/movements-under-test';
import { TO, signer } from '../testing/movements-under-test';
import { referenceOf } from '../token-movement/chain-values.domain';
import type { LogNode } from '../transfer-logs/transfer-logs.port';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';

const ACCOUNT = 'account';
const THIEF: Hex = `0x${'7f'.repeat(20)}`;
const [BRLV, USDC] = ['eth-base/brlv', 'eth-base/usdc'] as const;
const AMOUNTS = {
  [BRLV]: { amount: '2.500000000000000000', brlAmount: '2.50' },
  [USDC]: { amount: '2.000000', brlAmount: '10.70' },
} as const;
const ONE_BRLV = 10n ** 18n;
/** The same amounts in units of the contracts. */
const UNITS = { [BRLV]: (5n * ONE_BRLV) / 2n, [USDC]: 2_000_000n } as const;
const { open } = movementsForEachTest();

let movements: MovementsUnderTest;
let [wallet, salt] = ['0x', '0x'] as Hex[];

/** The account's wallet holds 5 BRLV and 5 USDC, and the treasury 5 USDC. */
beforeEach(async () => {
  movements = await open().start();
  await movements.bus.request(ProvisionWallets, { accountId: ACCOUNT, parentId: null }, movements.context());
  const { wallets } = await movements.bus.request(GetAccountWallets, { accountId: ACCOUNT }, movements.context());
  const main = wallets.find(({ chain }) => chain === 'eth-base');
  [wallet, salt] = [main?.address as Hex, referenceOf(main?.id ?? '')];
  const { base } = movements;
  base.fund(BRLV, wallet, 5n * ONE_BRLV);
  for (const holder of [wallet, base.walletAddress(treasurySalt)]) base.fund(USDC, holder, 5_000_000n);
});

const treasurySalt = saltOf(treasuryWalletId('eth-base'));
const settlementId = derivedId('settlement', 'one');
const reference = referenceOf(settlementId);

const request = (kind: SettlementKind, asset: keyof typeof AMOUNTS, service = movements) => {
  const order = { settlementId, orderId: derivedId('order', 'one'), accountId: ACCOUNT, kind };
  const payload: SettlementPayload = { ...order, asset, ...AMOUNTS[asset], wallet: wallet ?? '0x' };
  return service.bus.request(RequestSettlement, payload, service.context());
};
const stateOf = async (kind: SettlementKind, service = movements) =>
  (await service.bus.request(GetSettlement, { settlementId, kind }, service.context()))?.state;

/** A transaction of another program that has one of the operator keys. */
const stolen = async (call: ContractCall) =>
  movements.base.broadcast((await signed(movements.base, signer, 'operator-2', call)).raw);

const misused = async () => (await movements.gauge('ponte_references_misused_total', { chain: 'eth-base' })) ?? 0;

const MISUSES: readonly [string, SettlementKind, keyof typeof AMOUNTS, () => ContractCall][] = [
  ['a mint to another address', 'mint', BRLV, () => minted({ to: THIEF })],
  ['a mint of another amount', 'mint', BRLV, () => minted({ units: 1n })],
  ['a mint of another token', 'mint', BRLV, () => minted({ asset: 'eth-base/brly' })],
  ['a redemption of another amount', 'burn', BRLV, () => burned({ units: 1n })],
  ['a transfer to a thief instead of a redemption', 'burn', BRLV, () => sent({ asset: BRLV, to: THIEF })],
  [
    'a treasury payment to another address',
    'treasury-payment',
    USDC,
    () => sent({ to: THIEF, wallets: [treasurySalt] }),
  ],
  [
    'a treasury payment of another amount',
    'treasury-payment',
    USDC,
    () => sent({ units: 1n, wallets: [treasurySalt] }),
  ],
  ['a sale of USDC that goes to a thief instead of the treasury', 'treasury-receipt', USDC, () => sent({ to: THIEF })],
];
type Base = MovementsUnderTest['base'];
const minted = (change: Partial<Parameters<Base['mintCall']>[0]>) =>
  movements.base.mintCall({ reference, asset: BRLV, to: wallet ?? '0x', units: UNITS[BRLV], ...change });
const burned = (change: Partial<Parameters<Base['redeemCall']>[0]>) =>
  movements.base.redeemCall({
    reference,
    asset: BRLV,
    units: UNITS[BRLV],
    wallets: [salt ?? '0x'],
    ...change,
  });
const sent = (change: Partial<Parameters<Base['sendTokenCall']>[0]>) => {
  const { asset = USDC } = change;
  const units = UNITS[asset as keyof typeof UNITS];
  return movements.base.sendTokenCall({
    reference,
    asset,
    to: wallet ?? '0x',
    units,
    wallets: [salt ?? '0x'],
    ...change,
  });
};

describe('a movement whose reference another transaction took', () => {
  it.each(MISUSES)('is not completed by %s, which is counted', async (_, kind, asset, call) => {
    expect(await misused()).toBe(0);
    await expect(stolen(call())).resolves.toEqual({ outcome: 'taken' });
    await request(kind, asset);
    await eventually(async () => expect(await misused()).toBeGreaterThan(1));
    expect(await stateOf(kind)).toBe('created');
    expect(movements.types()).not.toContain('TransactionSigned');
    expect(movements.types()).not.toContain('TransactionConfirmed');
  });

  it.each([
    ['mint', BRLV, () => minted({})],
    ['burn', BRLV, () => burned({})],
    ['treasury-payment', USDC, () => sent({ wallets: [treasurySalt] })],
  ] as const)('is completed if that was a %s with its token, receiver and amount', async (kind, asset, call) => {
    await expect(stolen(call())).resolves.toEqual({ outcome: 'taken' });
    await request(kind, asset);
    await eventually(async () => expect(await stateOf(kind)).toBe('completed'));
    expect(movements.types()).not.toContain('TransactionSigned');
    expect(await misused()).toBe(0);
  });

  it('is neither completed nor given up while one node says that this was another movement', async () => {
    const lying = { now: true, asked: 0 };
    const serve = (chain: SimulatedChain): EvmChain => {
      const [node] = chain.logNodes;
      const hasMovement: LogNode['hasMovement'] = async (...question) => {
        lying.asked += 1;
        return !lying.now && (node as LogNode).hasMovement(...question);
      };
      return Object.assign(Object.create(chain) as EvmChain, { logNodes: [node, { hasMovement }] });
    };
    await stolen(minted({}));
    await movements.stop();
    const later = await open({ beside: movements, forget: false, serve }).start();
    await request('mint', BRLV, later);
    await eventually(() => expect(lying.asked).toBeGreaterThan(1));
    expect(later.types()).not.toContain('TransactionConfirmed');
    await later.stop();

    const address = await signer.addressOf('operator');
    const keys = new SimulatedSigner('another');
    const keyless = await open({ beside: movements, keys, forget: false, serve }).start();
    const terms = { chain: 'eth-base', address, confirm: 'yes' };
    const giveUp = () => keyless.operate('chain give-up', terms, { actor: 'ana', reason: 'stolen' });
    await eventually(() => expect(giveUp()).rejects.toThrow('or they contradicted each other'));
    lying.now = false;
    await expect(giveUp()).rejects.toThrow('has taken its reference');
    await eventually(async () => expect(await stateOf('mint', keyless)).toBe('completed'));
    expect(keyless.types()).not.toContain('TransactionGivenUp');
  });

  it('is not completed when its own bytes are mined later and fail', async () => {
    movements.base.script({ kind: 'delay', blocks: 3 });
    await movements.mint('late', { to: TO });
    await movements.broadcast('late');
    const call = { reference: referenceOf(derivedId('mint', 'late')), asset: BRLV, to: THIEF, units: 1n } as const;
    await stolen(movements.base.mintCall(call));
    movements.base.mine(4);
    await eventually(async () => expect(await misused()).toBeGreaterThan(1));
    expect((await movements.mintOf('late')).state).toBe('pending');
  });

  it.each([
    ['is not signed', 'intended', {}],
    ['is signed, and its bytes have failed', 'signed', { signed: 'yes' }],
  ])('%s is given up with its key, as an operator decides', async (_, status, more) => {
    const { base } = movements;
    const call = { reference: referenceOf(derivedId('mint', 'given')), asset: BRLV, to: THIEF, units: 1n } as const;
    if (status === 'signed') {
      base.script({ kind: 'delay', blocks: 3 });
      await movements.mint('given');
      await movements.broadcast('given');
    }
    await stolen(base.mintCall(call));
    if (status === 'intended') await movements.mint('given');
    base.mine(4);
    await eventually(async () => expect(await misused()).toBeGreaterThan(0));
    await movements.stop();

    const address = await signer.addressOf('operator');
    base.setOperator(address, false);
    const later = await open({ beside: movements, keys: new SimulatedSigner('another'), forget: false }).start();
    const by = { actor: 'ana', reason: 'stolen' };
    const giveUp = (confirm?: { readonly confirm: string }) =>
      later.operate('chain give-up', { chain: 'eth-base', address, ...more, ...confirm }, by);
    await eventually(() => expect(giveUp()).resolves.toContain('would be given up'));
    expect((await later.mintOf('given')).state).not.toBe('failed');
    await expect(giveUp({ confirm: 'yes' })).resolves.toContain('given up; the funds are returned');
    expect((await later.mintOf('given')).state).toBe('failed');
  });
});
