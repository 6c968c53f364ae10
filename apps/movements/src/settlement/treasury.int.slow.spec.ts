import 'reflect-metadata';
import type { SettlementPayload, TransactionGivenUp } from '@ponte/contracts';
import { GetAccountWallets, GetSettlement, ProvisionWallets, RequestSettlement } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import type { FaultKind } from '@ponte/testing';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { Setup } from '../testing/movements-under-test';
import { MovementsUnderTest } from '../testing/movements-under-test';
import { saltOf, treasuryWalletId } from '../wallet/wallet.decider';
import type { Hex } from '../chain/chain.port';

const ACCOUNT = 'account';
const USDC: AssetId = 'eth-base/usdc';
const SECONDS = 1_000;
let folder: ReturnType<typeof temporaryFolder>;
let movements: MovementsUnderTest;
let wallet: Hex;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await movements.stop();
  folder.remove();
});

async function open(setup: Setup = {}): Promise<void> {
  movements = await new MovementsUnderTest(folder.path, setup).start();
  await movements.bus.request(ProvisionWallets, { accountId: ACCOUNT, parentId: null }, movements.context());
  const { wallets } = await movements.bus.request(GetAccountWallets, { accountId: ACCOUNT }, movements.context());
  wallet = wallets.find((one) => one.chain === 'eth-base')?.address as Hex;
}

const treasury = (): Hex => movements.base.walletAddress(saltOf(treasuryWalletId('eth-base')));
function fill(units: bigint): void {
  movements.base.fund(USDC, treasury(), units);
  movements.base.mine();
}
const payload = (name: string): SettlementPayload => ({
  settlementId: derivedId('settlement', name),
  orderId: derivedId('order', name),
  accountId: ACCOUNT,
  kind: 'treasury-payment',
  asset: USDC,
  amount: '2.000000',
  wallet,
  brlAmount: '10.70',
});
const pay = (name: string) => movements.bus.request(RequestSettlement, payload(name), movements.context());
const stateOf = async (name: string) => {
  const query = { settlementId: derivedId('settlement', name), kind: 'treasury-payment' } as const;
  return (await movements.bus.request(GetSettlement, query, movements.context()))?.state;
};
const reaches = (name: string, state: string) => eventually(async () => expect(await stateOf(name)).toBe(state));
const received = () => movements.base.tokenBalance(USDC, wallet);
const waiting = () => movements.gauge('ponte_treasury_waiting_payments', { chain: 'eth-base', asset: USDC });

describe('a payment of a treasury that holds too little', () => {
  it('waits without a nonce, and is visible to operators', async () => {
    await open();
    await pay('one');
    await eventually(async () => expect(await waiting()).toBe(1));
    expect(await stateOf('one')).toBe('created');
    expect(movements.nonces()).toEqual([]);
    expect(movements.types()).not.toContain('TransactionGivenUp');
  });

  it('is made when the treasury is filled in time', async () => {
    await open();
    await pay('one');
    await eventually(async () => expect(await waiting()).toBe(1));
    fill(2_000_000n);
    await reaches('one', 'completed');
    expect(await received()).toBe(2_000_000n);
    expect(await waiting()).toBe(0);
    expect(movements.ofType('TransactionFunded')).toHaveLength(1);
  });

  it('is given up permanently when nothing was signed in time', async () => {
    await open({ liquidityMs: SECONDS / 2 });
    await pay('one');
    await reaches('one', 'failed');
    const [givenUp] = movements.ofType('TransactionGivenUp').map(({ data }) => data as TransactionGivenUp['data']);
    expect(givenUp).toMatchObject({
      reason: 'liquidity-unavailable',
      purpose: { owner: { kind: 'order', id: derivedId('order', 'one') } },
    });
    fill(2_000_000n);
    await pay('one');
    await pay('two');
    await reaches('two', 'completed');
    expect(await stateOf('one')).toBe('failed');
    expect(await received()).toBe(2_000_000n);
    expect(await waiting()).toBe(0);
    expect(movements.nonces()).toEqual([0]);
  });

  it('does not block mints and payments that the treasury can make', async () => {
    await open();
    fill(2_000_000n);
    movements.base.fund('eth-base/usdt', treasury(), 5_000_000n);
    await movements.mint('beside');
    await movements.bus.request(RequestSettlement, { ...payload('much'), amount: '3.000000' }, movements.context());
    await pay('fits');
    await movements.bus.request(RequestSettlement, { ...payload('usdt'), asset: 'eth-base/usdt' }, movements.context());
    await reaches('fits', 'completed');
    await reaches('usdt', 'completed');
    expect((await movements.ended('beside')).state).toBe('completed');
    expect(await stateOf('much')).toBe('created');
  });

  it('is not made from tokens that are reserved for another unmined payment', async () => {
    await open({ instant: false });
    fill(3_000_000n);
    await pay('one');
    await eventually(() => expect(movements.types()).toContain('TransactionSigned'));
    await pay('two');
    await eventually(async () => expect(await waiting()).toBe(1));
    movements.base.mine();
    await reaches('one', 'completed');
    fill(2_000_000n);
    await eventually(() => expect(movements.ofType('TransactionSigned')).toHaveLength(2));
    movements.base.mine();
    await reaches('two', 'completed');
    expect(await received()).toBe(4_000_000n);
    expect(movements.types()).not.toContain('TransactionReverted');
  });

  const KINDS: FaultKind[] = ['refuse', 'lose-reply', 'crash-after-append'];
  const WAY = ['TransactionFunded', 'NoncesAllocated', 'TransactionSigned', 'TransactionConfirmed'];
  it.each(KINDS.flatMap((kind) => WAY.map((type) => [kind, type] as const)))(
    'is made once despite %s at %s, and no nonce is left without bytes',
    async (kind, type) => {
      await open();
      fill(2_000_000n);
      const { struck } = movements.store.faults.next({
        kind,
        match: (_, events) => events.some((one) => one.type === type),
      });
      await pay('one').catch(() => undefined);
      await struck;
      if (kind === 'crash-after-append') {
        await movements.stop();
        await movements.start();
      }
      await reaches('one', 'completed');
      expect(await received()).toBe(2_000_000n);
      expect(movements.nonces()).toEqual([0]);
      expect(movements.ofType('TransactionFunded')).toHaveLength(1);
    },
  );

  it.each(KINDS)('ends once despite %s while it is given up', async (kind) => {
    await open({ liquidityMs: SECONDS / 4 });
    const { struck } = movements.store.faults.next({
      kind,
      match: (_, events) => events.some((one) => one.type === 'TransactionGivenUp'),
    });
    await pay('one').catch(() => undefined);
    await struck;
    if (kind === 'crash-after-append') {
      await movements.stop();
      await movements.start();
    }
    await reaches('one', 'failed');
    expect(movements.ofType('TransactionGivenUp')).toHaveLength(1);
    expect(movements.nonces()).toEqual([]);
  });

  it('is either delivered once or given up and never sent, when the treasury is filled at the time of giving up', async () => {
    await open({ liquidityMs: SECONDS / 4 });
    const names = Array.from({ length: 20 }, (_, at) => `race-${at}`);
    await Promise.all(names.map((name) => pay(name)));
    await eventually(() => expect(movements.types()).toContain('TransactionGivenUp'));
    fill(40_000_000n);
    await eventually(async () => {
      for (const name of names) expect(['completed', 'failed']).toContain(await stateOf(name));
    });
    const completed = movements.ofType('TransactionConfirmed').length;
    expect(completed + movements.ofType('TransactionGivenUp').length).toBe(names.length);
    expect(await received()).toBe(BigInt(completed) * 2_000_000n);
    expect(movements.nonces()).toHaveLength(completed);
  });
});
