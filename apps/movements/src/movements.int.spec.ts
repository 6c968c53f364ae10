import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  AccountOpened,
  GetAccountWallets,
  GetChains,
  GetWhitelistedWallets,
  NoncesAllocated,
  ProvisionWallets,
  ResolveWallet,
  TransactionIntended,
  TransactionSigned,
} from '@ponte/contracts';
import type { EventToAppend } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { CHAINS, derivedId } from '@ponte/kernel';
import type { FaultKind } from '@ponte/testing';
import { MemoryEventStore, MemoryLog, eventually } from '@ponte/testing';
import { signed } from './chain/adapters/chain.contract';
import { referenceOf } from './mint/mint.domain';
import { signerKeyId } from './signer-key/signer-key.decider';
import type { Hex } from './chain/chain.port';
import type { Setup } from './testing/movements-under-test';
import { TO, MovementsUnderTest, signer } from './testing/movements-under-test';

let folder: string;
let underTests: MovementsUnderTest[] = [];
const open = (setup?: Setup): MovementsUnderTest => {
  const movements = new MovementsUnderTest(folder, setup);
  underTests.push(movements);
  return movements;
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ponte-movements-'));
});
afterEach(async () => {
  await Promise.all(underTests.map((movements) => movements.stop()));
  underTests = [];
  await rm(folder, { recursive: true, force: true });
});

const AMOUNT = 25n * 10n ** 17n;

describe('wallets', () => {
  it('are provisioned on every chain when an account is opened, once, with a key of their own (issue 2: wallet creation at account provisioning)', async () => {
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

  it("resolve to the account's own, or to a stranger that no one whitelisted", async () => {
    const movements = await open().start();
    movements.bus.handle(GetWhitelistedWallets.pattern, async () => ({ wallets: [] }));
    const { wallets } = await movements.bus.request(
      ProvisionWallets,
      { accountId: 'a', parentId: null },
      movements.context(),
    );
    const [, own] = wallets;
    const resolve = (address: string | null, accountId = 'a') =>
      movements.bus.request(ResolveWallet, { accountId, chain: 'eth-base', address }, movements.context());
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

  it('of others are whitelisted for the account that onboarding says, on every chain, and for FX where it says so', async () => {
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
    const resolve = (chain: Chain, address: string, accountId = 'a') =>
      movements.bus.request(ResolveWallet, { accountId, chain, address }, movements.context());
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

  it('tells where the contracts are', async () => {
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

describe('a mint', () => {
  it('goes from intent to confirmations, each step durable before the next (domain: intent, nonce, signed bytes, broadcast)', async () => {
    const movements = await open().start();
    await expect(movements.mint('one')).resolves.toEqual({ settlementId: derivedId('mint', 'one') });
    const done = await movements.ended('one');
    expect(movements.types()).toEqual([
      'TransactionIntended',
      'NoncesAllocated',
      'TransactionSigned',
      'TransactionConfirmed',
    ]);
    expect(movements.ofType('TransactionConfirmed')[0]?.data).toMatchObject({
      purpose: { orderId: derivedId('order', 'one'), accountId: 'account' },
      txHash: done.txHash,
    });
    await expect(movements.base.transaction(done.txHash as Hex)).resolves.toMatchObject({
      status: 'mined',
      succeeded: true,
    });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
    await expect(movements.base.takenIn('minter', referenceOf(derivedId('mint', 'one')))).resolves.toBe(done.txHash);
    const [intended] = movements.ofType('TransactionIntended');
    expect(
      new Set(
        movements
          .events()
          .filter(({ type }) => type !== 'NoncesAllocated')
          .map(({ meta }) => meta.correlationId),
      ),
    ).toEqual(new Set([intended?.meta.correlationId]));
  });

  it('crosses to the decimals of the contract (domain 4: tempo/brlv has 6 on chain)', async () => {
    const movements = await open().start();
    await movements.mint('tempo', { asset: 'tempo/brlv' });
    await movements.ended('tempo');
    await expect(movements.chains.get('tempo')?.tokenBalance('tempo/brlv', TO)).resolves.toBe(2_500_000n);
  });

  it('is refused with a code of the catalogue, and nothing is written', async () => {
    const movements = await open().start();
    const cases = [
      [{ asset: 'tempo/brlv', amount: '0.0000001' }, 'amount-scale-exceeded'],
      [{ amount: '0' }, 'amount-below-minimum'],
      [{ amount: '-1' }, 'invalid-format'],
      [{ to: '0x12' }, 'invalid-address'],
      [{ to: `0x${'0'.repeat(40)}` }, 'invalid-address'],
      [{ asset: 'eth-base/wbrly' }, 'asset-not-supported'],
      [{ asset: 'eth-base/usdc' }, 'asset-not-supported'],
      [{ asset: 'fiat/brl' }, 'asset-not-supported'],
    ] as const;
    for (const [change, code] of cases) await expect(movements.mint('bad', change)).rejects.toMatchObject({ code });
    expect(movements.events()).toEqual([]);
  });

  it('is made once however often it is asked for, and never with other terms', async () => {
    const movements = await open().start();
    await Promise.all(Array.from({ length: 50 }, () => movements.mint('same')));
    await movements.ended('same');
    // What was intended stays what it was.
    await movements.mint('same', { amount: '3' });
    expect(movements.ofType('TransactionIntended')).toHaveLength(1);
    expect(movements.nonces()).toEqual([0]);
    await expect(movements.balance()).resolves.toBe(AMOUNT);
  });

  it('shares its key with others: nonces without gaps or repeats, each mint once (reliability I7)', async () => {
    const movements = await open().start();
    const names = Array.from({ length: 150 }, (_, at) => `many ${at}`);
    await Promise.all(names.map((name) => movements.mint(name)));
    for (const name of names) await expect(movements.ended(name)).resolves.toMatchObject({ state: 'completed' });
    const nonces = movements.ofType('TransactionSigned').map(({ data }) => (data as { nonce: number }).nonce);
    expect(nonces.sort((a, b) => a - b)).toEqual(names.map((_, at) => at));
    await expect(movements.balance()).resolves.toBe(150n * AMOUNT);
  });
});

describe('a chain that misbehaves', () => {
  it.each([
    [{ kind: 'drop' }],
    [{ kind: 'unknown', arrived: true }],
    [{ kind: 'unknown', arrived: false }],
    [{ kind: 'refuse', reason: 'fee-too-low' }],
    [{ kind: 'refuse', reason: 'insufficient-gas-money' }],
  ] as const)('%j: the same bytes go out again, and the mint ends once (reliability D1, D2)', async (fault) => {
    const movements = await open().start();
    movements.base.script(fault);
    await Promise.all([movements.mint('struck'), movements.mint('bystander')]);
    await expect(movements.ended('struck')).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.ended('bystander')).resolves.toMatchObject({ state: 'completed' });
    expect(movements.ofType('TransactionSigned')).toHaveLength(2);
    await expect(movements.balance()).resolves.toBe(2n * AMOUNT);
  });

  it('reverts: the mint fails, nothing was minted, and the next one goes on (reliability D5)', async () => {
    const movements = await open().start();
    movements.base.script({ kind: 'revert' });
    await movements.mint('reverted');
    await expect(movements.ended('reverted')).resolves.toMatchObject({ state: 'failed' });
    expect(movements.ofType('TransactionReverted')[0]?.data).toMatchObject({
      purpose: { orderId: derivedId('order', 'reverted'), accountId: 'account' },
    });
    await movements.mint('next');
    await expect(movements.ended('next')).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
  });

  it('has taken the reference by another transaction: ours is reverted, but the tokens exist, so the mint is confirmed', async () => {
    const movements = await open().start();
    await movements.diesAfter('TransactionSigned', 'taken');
    const reference = referenceOf(derivedId('mint', 'taken'));
    const other = await signed(
      movements.base,
      signer,
      'another key',
      movements.base.mintCall({ reference, asset: 'eth-base/brlv', to: TO, units: AMOUNT }),
    );
    await movements.base.broadcast(other.raw);
    await movements.start();
    await expect(movements.ended('taken')).resolves.toMatchObject({ state: 'completed', txHash: other.hash });
    const [ours] = movements.ofType('TransactionSigned');
    await expect(movements.base.transaction((ours?.data as { txHash: Hex }).txHash)).resolves.toMatchObject({
      revertReason: 'ReferenceAlreadyMinted',
    });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
  });

  it.each(['repooled', 'forgotten'] as const)(
    'takes blocks back (%s): pending again, and confirmed once in the end (reliability D4)',
    async (transactions) => {
      const movements = await open({ instant: false, confirmations: 3 }).start();
      await movements.mint('reorg');
      await movements.broadcast('reorg');
      movements.base.mine(2);
      movements.base.reorg(2, transactions);
      movements.base.mine(1);
      expect(movements.ofType('TransactionConfirmed')).toEqual([]);
      const { txHash } = await eventually(async () => {
        movements.base.mine();
        const mint = await movements.mintOf('reorg');
        if (mint.state !== 'completed') throw new Error('not yet');
        return mint;
      });
      await expect(movements.base.transaction(txHash as Hex)).resolves.toMatchObject({ succeeded: true });
      await expect(movements.balance()).resolves.toBe(AMOUNT);
      expect(movements.ofType('TransactionSigned')).toHaveLength(1);
    },
  );

  it('waits for its confirmations (contract: 12 on eth-base)', async () => {
    const movements = await open({ instant: false, confirmations: 12 }).start();
    await movements.mint('patient');
    await movements.broadcast('patient');
    movements.base.mine(11);
    await expect(movements.mintOf('patient')).resolves.toMatchObject({ state: 'pending' });
    movements.base.mine(1);
    await expect(movements.ended('patient')).resolves.toMatchObject({ state: 'completed' });
  });

  it('does not answer: the command is kept and carried out when it does', async () => {
    const movements = await open().start();
    movements.base.setReachable(false);
    const names = Array.from({ length: 70 }, (_, at) => `dark ${at}`);
    await Promise.all(names.map((name) => movements.mint(name)));
    await eventually(() => expect(movements.ofType('TransactionIntended')).toHaveLength(names.length));
    movements.base.setReachable(true);
    for (const name of names) await expect(movements.ended(name)).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.balance()).resolves.toBe(BigInt(names.length) * AMOUNT);
  });

  it('has mined another transaction of the key under the nonce: given up at finality alone, and the next goes on', async () => {
    const movements = await open({ instant: false, confirmations: 2 }).start();
    await movements.diesAfter('TransactionSigned', 'robbed');
    const call = movements.base.transferCall({ asset: 'eth-base/usdc', to: TO, units: 0n });
    await movements.base.broadcast((await signed(movements.base, signer, 'operator', call, 0)).raw);
    movements.base.mine();
    await movements.start();
    await movements.mint('next');
    await movements.broadcast('next');
    expect(movements.ofType('TransactionSuperseded')).toEqual([]);
    movements.base.mine(2);
    await expect(movements.ended('robbed')).resolves.toMatchObject({ state: 'failed' });
    await expect(movements.ended('next')).resolves.toMatchObject({ state: 'completed' });
    expect(movements.ofType('TransactionSuperseded')).toHaveLength(1);
    await expect(movements.balance()).resolves.toBe(AMOUNT);
  });
});

describe('a crash', () => {
  const POINTS = ['TransactionIntended', 'NoncesAllocated', 'TransactionSigned', 'TransactionConfirmed'];
  const striking = (type: string, kind: FaultKind) => ({
    kind,
    match: (_: string, events: readonly EventToAppend[]) => events.some((event) => event.type === type),
  });

  it.each(POINTS)("after %s: one mint on the chain's own books after the restart (reliability D1)", async (type) => {
    const movements = await open().start();
    const fault = movements.store.faults.next(striking(type, 'crash-after-append'));
    const asked = movements.mint('crash').catch(() => undefined);
    await fault.struck;
    await asked;
    await movements.stop();
    await movements.start();
    await movements.mint('crash');
    await expect(movements.ended('crash')).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.balance()).resolves.toBe(AMOUNT);
    expect(movements.nonces()).toEqual([0]);
    expect(movements.ofType('TransactionConfirmed')).toHaveLength(1);
  });

  it.each(['refuse', 'lose-reply', 'drop'] as const)(
    'of an append (%s) at any step is made good, and each mint is made once (reliability B7)',
    async (kind) => {
      const movements = await open().start();
      for (const type of POINTS) {
        const fault = movements.store.faults.next(striking(type, kind));
        await Promise.all([movements.mint(type).catch(() => undefined), fault.struck]);
        await movements.mint(type);
        await expect(movements.ended(type)).resolves.toMatchObject({ state: 'completed' });
      }
      await expect(movements.balance()).resolves.toBe(BigInt(POINTS.length) * AMOUNT);
      expect(movements.nonces()).toEqual(POINTS.map((_, nonce) => nonce));
    },
  );

  it('of a chain that loses all: the log brings its transactions back (architecture, engines: Chain)', async () => {
    const movements = await open().start();
    await Promise.all(['a', 'b', 'c'].map((name) => movements.mint(name)));
    for (const name of ['a', 'b', 'c']) await movements.ended(name);
    await movements.stop();
    movements.base.forget();
    await expect(movements.balance()).resolves.toBe(0n);
    await movements.start();
    await eventually(async () => expect(await movements.balance()).toBe(3n * AMOUNT));
    await movements.mint('d');
    await expect(movements.ended('d')).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.balance()).resolves.toBe(4n * AMOUNT);
  });

  it('of a chain that loses its last blocks: what was in them comes back, and the log is not read again for it, but where the views are lost too', async () => {
    const movements = await open().start();
    const names = Array.from({ length: 6 }, (_, at) => `block ${at}`);
    for (const name of names) {
      await movements.mint(name);
      await movements.ended(name);
    }
    await movements.stop();
    const subscribed = jest.spyOn(MemoryEventStore.prototype, 'subscribe');
    // The projector says who it is.
    const readings = () =>
      subscribed.mock.calls.filter(
        ([filter]) => filter?.categories?.includes('chainTransaction') && filter.reader === undefined,
      ).length;
    movements.base.reorg(2, 'forgotten');
    await expect(movements.balance()).resolves.toBe(4n * AMOUNT);
    await movements.start();
    await eventually(async () => expect(await movements.balance()).toBe(6n * AMOUNT));
    expect(readings()).toBe(0);
    await movements.stop();
    for (const ending of ['', '-wal', '-shm']) await rm(join(folder, `views.db${ending}`), { force: true });
    movements.base.reorg(3, 'forgotten');
    await movements.start();
    await eventually(async () => expect(await movements.balance()).toBe(6n * AMOUNT));
    expect(readings()).toBe(CHAINS.length);
    subscribed.mockRestore();
  });

  it('of a chain that loses all, after the key was replaced: what the key before had signed comes back too, at any start', async () => {
    const movements = open();
    const call = movements.base.mintCall({
      reference: referenceOf(derivedId('mint', 'before')),
      asset: 'eth-base/brlv',
      to: TO,
      units: AMOUNT,
    });
    const { raw, hash } = await signed(movements.base, signer, 'an earlier operator', call, 0);
    const from = await signer.addressOf('an earlier operator');
    const past = new TransactionSigned({
      transactionId: 'before',
      chain: 'eth-base',
      from,
      nonce: 0,
      raw,
      txHash: hash,
      maxFeePerGas: '1',
      maxPriorityFeePerGas: '1',
    });
    const allocated = new NoncesAllocated({ chain: 'eth-base', address: from, first: 0, transactionIds: ['before'] });
    const intended = new TransactionIntended({
      transactionId: 'before',
      chain: 'eth-base',
      from,
      purpose: {
        kind: 'mint',
        id: 'before',
        orderId: 'order',
        accountId: 'account',
        asset: 'eth-base/brlv',
        amount: '2.5',
        to: TO,
      },
      intendedAt: '2026-01-01T00:00:00.000Z',
    });
    const kept = new MemoryEventStore({ log: movements.log });
    const meta = {
      commandId: 'past',
      index: 0,
      count: 1,
      occurredAt: '2026-01-01T00:00:00.000Z',
      correlationId: 'past',
    };
    await kept.append(`signerKey-${signerKeyId('eth-base', from)}`, -1, [
      { id: eventId('past', 0), type: allocated.type, version: 1, data: allocated.data, meta },
    ]);
    await kept.append(
      'chainTransaction-before',
      -1,
      [intended, past].map(({ type, data }, index) => ({
        id: eventId('past', index + 1),
        type,
        version: 1,
        data,
        meta,
      })),
    );
    for (const owned of [1n, 2n, 3n]) {
      await movements.start();
      await eventually(async () => expect(await movements.balance()).toBe(owned * AMOUNT));
      await movements.mint(`with ${owned}`);
      await movements.ended(`with ${owned}`);
      await movements.stop();
      movements.base.forget();
    }
  });

  it('that loses the views: they are filled again, and what was unfinished is finished', async () => {
    const movements = await open({ instant: false }).start();
    const { wallets } = await movements.bus.request(
      ProvisionWallets,
      { accountId: 'a', parentId: null },
      movements.context(),
    );
    await movements.mint('open');
    await movements.broadcast('open');
    await movements.stop();
    for (const ending of ['', '-wal', '-shm']) await rm(join(folder, `views.db${ending}`), { force: true });
    await movements.start();
    await eventually(async () =>
      expect((await movements.bus.request(GetAccountWallets, { accountId: 'a' }, movements.context())).wallets).toEqual(
        wallets,
      ),
    );
    movements.base.mine();
    await expect(movements.ended('open')).resolves.toMatchObject({ state: 'completed' });
  });

  it('after which the log is older than the chain: the mint ends confirmed by the transaction that the log forgot', async () => {
    const movements = await open().start();
    await movements.mint('twice');
    const { txHash } = await movements.ended('twice');
    await movements.stop();
    movements.log = new MemoryLog();
    await movements.start(join(folder, 'another'));
    await movements.mint('twice');
    await expect(movements.ended('twice')).resolves.toMatchObject({ state: 'completed', txHash });
    expect(movements.nonces()).toEqual([]);
    await movements.mint('fresh');
    await expect(movements.ended('fresh')).resolves.toMatchObject({ state: 'completed' });
    await expect(movements.balance()).resolves.toBe(2n * AMOUNT);
  });
});
