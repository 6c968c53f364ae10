import 'reflect-metadata';
import type { SettlementPayload, TransactionGivenUp } from '@ponte/contracts';
import { GetAccountWallets, GetSettlement, ProvisionWallets, RequestSettlement } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import type { FaultKind } from '@ponte/testing';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { Setup } from '../adapters/testing/world';
import { World } from '../adapters/testing/world';
import { saltOf, treasuryWalletId } from '../domain/wallet/wallet';
import type { Hex } from '../ports/chain';

const ACCOUNT = 'account';
const USDC: AssetId = 'eth-base/usdc';
const SECONDS = 1_000;
let folder: ReturnType<typeof temporaryFolder>;
let world: World;
let wallet: Hex;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await world.stop();
  folder.remove();
});

async function open(setup: Setup = {}): Promise<void> {
  world = await new World(folder.path, setup).start();
  await world.bus.request(ProvisionWallets, { accountId: ACCOUNT, parentId: null }, world.context());
  const { wallets } = await world.bus.request(GetAccountWallets, { accountId: ACCOUNT }, world.context());
  wallet = wallets.find((one) => one.chain === 'eth-base')?.address as Hex;
}

const treasury = (): Hex => world.base.walletAddress(saltOf(treasuryWalletId('eth-base')));
function fill(units: bigint): void {
  world.base.endow(USDC, treasury(), units);
  world.base.mine();
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
const pay = (name: string) => world.bus.request(RequestSettlement, payload(name), world.context());
const stateOf = async (name: string) => {
  const asked = { settlementId: derivedId('settlement', name), kind: 'treasury-payment' } as const;
  return (await world.bus.request(GetSettlement, asked, world.context()))?.state;
};
const reaches = (name: string, state: string) => eventually(async () => expect(await stateOf(name)).toBe(state));
const received = () => world.base.tokenBalance(USDC, wallet);
const waiting = () => world.gauge('ponte_treasury_waiting_payments', { chain: 'eth-base', asset: USDC });

describe('a payment of a treasury that holds too little', () => {
  it('waits without a nonce, and an operator sees it', async () => {
    await open();
    await pay('one');
    await eventually(async () => expect(await waiting()).toBe(1));
    expect(await stateOf('one')).toBe('created');
    expect(world.nonces()).toEqual([]);
    expect(world.types()).not.toContain('TransactionGivenUp');
  });

  it('is made when the treasury is filled in time', async () => {
    await open();
    await pay('one');
    await eventually(async () => expect(await waiting()).toBe(1));
    fill(2_000_000n);
    await reaches('one', 'completed');
    expect(await received()).toBe(2_000_000n);
    expect(await waiting()).toBe(0);
    expect(world.ofType('TransactionFunded')).toHaveLength(1);
  });

  it('is given up for good when nothing was signed in time', async () => {
    await open({ liquidityMs: SECONDS / 2 });
    await pay('one');
    await reaches('one', 'failed');
    const [givenUp] = world.ofType('TransactionGivenUp').map(({ data }) => data as TransactionGivenUp['data']);
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
    expect(world.nonces()).toEqual([0]);
  });

  it('does not hold up mints and payments that the treasury can make', async () => {
    await open();
    fill(2_000_000n);
    world.base.endow('eth-base/usdt', treasury(), 5_000_000n);
    await world.mint('beside');
    await world.bus.request(RequestSettlement, { ...payload('much'), amount: '3.000000' }, world.context());
    await pay('fits');
    await world.bus.request(RequestSettlement, { ...payload('usdt'), asset: 'eth-base/usdt' }, world.context());
    await reaches('fits', 'completed');
    await reaches('usdt', 'completed');
    expect((await world.ended('beside')).state).toBe('completed');
    expect(await stateOf('much')).toBe('created');
  });

  it('is not made from tokens that another payment has set aside and no block has yet', async () => {
    await open({ instant: false });
    fill(3_000_000n);
    await pay('one');
    await eventually(() => expect(world.types()).toContain('TransactionSigned'));
    await pay('two');
    await eventually(async () => expect(await waiting()).toBe(1));
    world.base.mine();
    await reaches('one', 'completed');
    fill(2_000_000n);
    await eventually(() => expect(world.ofType('TransactionSigned')).toHaveLength(2));
    world.base.mine();
    await reaches('two', 'completed');
    expect(await received()).toBe(4_000_000n);
    expect(world.types()).not.toContain('TransactionReverted');
  });

  const KINDS: FaultKind[] = ['refuse', 'lose-reply', 'crash-after-append'];
  const WAY = ['TransactionFunded', 'NoncesAllocated', 'TransactionSigned', 'TransactionConfirmed'];
  it.each(KINDS.flatMap((kind) => WAY.map((type) => [kind, type] as const)))(
    '%s at %s: it is made once, and no nonce is left without bytes',
    async (kind, type) => {
      await open();
      fill(2_000_000n);
      const { struck } = world.store.faults.next({
        kind,
        match: (_, events) => events.some((one) => one.type === type),
      });
      await pay('one').catch(() => undefined);
      await struck;
      if (kind === 'crash-after-append') {
        await world.stop();
        await world.start();
      }
      await reaches('one', 'completed');
      expect(await received()).toBe(2_000_000n);
      expect(world.nonces()).toEqual([0]);
      expect(world.ofType('TransactionFunded')).toHaveLength(1);
    },
  );

  it.each(KINDS)('%s while it is given up: it ends once', async (kind) => {
    await open({ liquidityMs: SECONDS / 4 });
    const { struck } = world.store.faults.next({
      kind,
      match: (_, events) => events.some((one) => one.type === 'TransactionGivenUp'),
    });
    await pay('one').catch(() => undefined);
    await struck;
    if (kind === 'crash-after-append') {
      await world.stop();
      await world.start();
    }
    await reaches('one', 'failed');
    expect(world.ofType('TransactionGivenUp')).toHaveLength(1);
    expect(world.nonces()).toEqual([]);
  });

  it('ends one way when it is filled at the moment of giving up: delivered once, or given up and never sent', async () => {
    await open({ liquidityMs: SECONDS / 4 });
    const names = Array.from({ length: 20 }, (_, at) => `race-${at}`);
    await Promise.all(names.map((name) => pay(name)));
    await eventually(() => expect(world.types()).toContain('TransactionGivenUp'));
    fill(40_000_000n);
    await eventually(async () => {
      for (const name of names) expect(['completed', 'failed']).toContain(await stateOf(name));
    });
    const completed = world.ofType('TransactionConfirmed').length;
    expect(completed + world.ofType('TransactionGivenUp').length).toBe(names.length);
    expect(await received()).toBe(BigInt(completed) * 2_000_000n);
    expect(world.nonces()).toHaveLength(completed);
  });
});
