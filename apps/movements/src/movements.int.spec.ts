import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestMicroservice } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AccountOpened, GetAccountWallets, GetChains, GetMint, ProvisionWallets, RequestMint, ResolveWallet } from '@ponte/contracts';
import type { EventToAppend, Recorded, RequestContext } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import type { AssetId, Chain } from '@ponte/kernel';
import { CHAINS, derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { BusTransport, EnginesModule, createLogger, openEmbeddedEngines } from '@ponte/nest';
import type { FaultKind } from '@ponte/testing';
import { MemoryEventStore, MemoryLog, eventually } from '@ponte/testing';
import { served } from './adapters/chain/open-chains';
import { SimulatedChain } from './adapters/chain/simulated';
import { SimulatedSigner } from './adapters/signer/simulated';
import { signed } from './adapters/chain/chain.contract';
import { referenceOf } from './domain/mint/terms';
import { MovementsModule } from './movements.module';
import type { Hex } from './ports/chain';

@Module({})
class Root {}

const TO: Hex = `0x${'ab'.repeat(20)}`;
const POLL_MS = 25;
const signer = new SimulatedSigner();
let folder: string;
let worlds: World[] = [];

beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'ponte-movements-')); });
afterEach(async () => {
  await Promise.all(worlds.map((world) => world.stop()));
  worlds = [];
  await rm(folder, { recursive: true, force: true });
});

interface Setup { readonly instant?: boolean; readonly confirmations?: number }

/** Chains that outlive the process, as chains do, and a log that does. */
class World {
  log = new MemoryLog();
  store = new MemoryEventStore({ log: this.log });
  readonly chains: ReadonlyMap<Chain, SimulatedChain>;
  private engines: Engines | undefined;
  private app: INestMicroservice | undefined;
  private asked = 0;

  constructor(private readonly setup: Setup = {}) {
    const { instant = true, confirmations: finality = 1 } = setup;
    this.chains = new Map(CHAINS.map((chain) => [chain, new SimulatedChain({ chain, instant, finality })]));
    worlds.push(this);
  }

  get base(): SimulatedChain { return this.chains.get('eth-base') as SimulatedChain; }

  async start(data = folder): Promise<this> {
    this.store = new MemoryEventStore({ log: this.log });
    const runtime = { environment: 'sandbox', dataDirectory: data, port: 0, logLevel: 'silent', embeddedByName: true, failpoint: null } as const;
    const engines = await openEmbeddedEngines(runtime, 'movements', { store: this.store, logger: createLogger('movements', 'silent') });
    const { confirmations = 1 } = this.setup;
    const all = [...this.chains.values()].map((evm) => ({ evm, confirmations, minter: evm.deployment.minter, tokens: evm.deployment.tokens }));
    const open = { chains: served(all), signer, forget: true, stop: async () => undefined };
    const module = MovementsModule.over({ chains: { kind: 'simulated' }, passphrase: 'x', pollMs: POLL_MS }, open);
    this.app = await NestFactory.createMicroservice(
      { module: Root, imports: [EnginesModule.forRoot(engines), module] }, { strategy: new BusTransport(engines.bus), logger: false, abortOnError: false },
    );
    await this.app.listen();
    engines.timers.start();
    this.engines = engines;
    return this;
  }

  async stop(): Promise<void> {
    const { app, engines } = this;
    this.app = this.engines = undefined;
    await engines?.timers.stop();
    await app?.close();
    await engines?.close();
  }

  get bus() { return (this.engines as Engines).bus; }

  context(): RequestContext {
    this.asked += 1;
    const id = derivedId('test', String(this.asked), String(worlds.indexOf(this)));
    return { commandId: id, correlationId: id, actor: 'test' };
  }

  wish(name: string, more: Partial<{ asset: AssetId; amount: string; to: string }> = {}) {
    return { mintId: derivedId('mint', name), orderId: derivedId('order', name), accountId: 'account', asset: 'eth-base/brlv' as AssetId, amount: '2.5', to: TO, ...more };
  }

  mint(name: string, more: Parameters<World['wish']>[1] = {}) {
    return this.bus.request(RequestMint, this.wish(name, more), this.context());
  }

  /** Asks for a mint, and ends the process as soon as an event of the type is durable. */
  async diesAfter(type: string, name: string): Promise<void> {
    const { struck } = this.store.faults.next({ kind: 'crash-after-append', match: (_, events) => events.some((event) => event.type === type) });
    await this.mint(name);
    await struck;
    await this.stop();
  }

  /** Waits for the end, whichever it is. */
  async ended(name: string) {
    return eventually(async () => {
      const mint = await this.bus.request(GetMint, { mintId: derivedId('mint', name) }, this.context());
      if (mint?.state !== 'completed' && mint?.state !== 'failed') throw new Error(`the mint is ${mint?.state}`);
      return mint;
    });
  }

  /** In units of 18 decimals. */
  balance = () => this.base.tokenBalance('eth-base/brlv', TO);
  events = (): Recorded[] => this.log.slice(0, this.log.length);
  types = () => this.events().map(({ type }) => type);
  ofType = (type: string) => this.events().filter((event) => event.type === type);
}

const AMOUNT = 25n * 10n ** 17n;

describe('wallets', () => {
  it('are provisioned on every chain when an account is opened, once, with a key of their own (issue 2: wallet creation at account provisioning)', async () => {
    const world = await new World().start();
    for (const [accountId, parentId] of [['partner', null], ['child', 'partner']] as const) {
      const opened = new AccountOpened({ accountId, parentId } as AccountOpened['data']);
      const meta = { commandId: accountId, index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: accountId };
      await world.store.append(`account-${accountId}`, -1, [{ id: eventId(accountId, 0), type: opened.type, version: 1, data: opened.data, meta }]);
    }
    const wallets = await eventually(async () => {
      const answer = await world.bus.request(GetAccountWallets, { accountId: 'child' }, world.context());
      expect(answer.wallets).toHaveLength(3);
      return answer.wallets;
    });
    expect(wallets.map(({ chain }) => chain)).toEqual(CHAINS);
    expect(new Set(wallets.map(({ address }) => address)).size).toBe(3);
    expect(wallets[1]).toMatchObject({ name: 'Main wallet eth-base', assets: ['eth-base/brlv', 'eth-base/usdt', 'eth-base/wbrly', 'eth-base/usdc', 'eth-base/brly'] });
    const again = await world.bus.request(ProvisionWallets, { accountId: 'child', parentId: 'partner' }, world.context());
    expect(again.wallets).toEqual(wallets);
    await eventually(() => expect(world.ofType('WalletCreated')).toHaveLength(6));
  });

  it('resolve to the account\'s own, or to a stranger that nobody whitelisted', async () => {
    const world = await new World().start();
    const { wallets } = await world.bus.request(ProvisionWallets, { accountId: 'a', parentId: null }, world.context());
    const [, own] = wallets;
    const resolve = (address: string | null, accountId = 'a') => world.bus.request(ResolveWallet, { accountId, chain: 'eth-base', address }, world.context());
    const internal = { kind: 'internal', walletId: own?.id, address: own?.address };
    await expect(resolve(null)).resolves.toEqual(internal);
    await expect(resolve(own?.address.toUpperCase().replace('0X', '0x') ?? '')).resolves.toEqual(internal);
    await expect(resolve(TO)).resolves.toEqual({ kind: 'external', address: TO, whitelisted: false, fxWhitelisted: false });
    await expect(resolve(own?.address ?? '', 'b')).resolves.toMatchObject({ kind: 'external' });
    await expect(resolve(null, 'b')).resolves.toBeNull();
    await expect(resolve('not an address')).resolves.toBeNull();
  });

  it('tells where the contracts are', async () => {
    const world = await new World().start();
    const { chains } = await world.bus.request(GetChains, {}, world.context());
    expect(chains.map(({ chain, chainId }) => [chain, chainId])).toEqual([['eth-mainnet', 1], ['eth-base', 8453], ['tempo', 4217]]);
    expect(chains[2]?.tokens).toEqual([{ asset: 'tempo/brlv', address: world.chains.get('tempo')?.deployment.tokens['tempo/brlv'], decimals: 6 }]);
  });
});

describe('a mint', () => {
  it('goes from intent to confirmations, each step durable before the next (domain: intent, nonce, signed bytes, broadcast)', async () => {
    const world = await new World().start();
    await expect(world.mint('one')).resolves.toEqual({ mintId: derivedId('mint', 'one') });
    const done = await world.ended('one');
    expect(world.types().filter((type) => type !== 'MintSubmitted')).toEqual([
      'MintRequested', 'TransactionIntended', 'NonceAllocated', 'TransactionSigned', 'TransactionBroadcast', 'TransactionConfirmed', 'MintConfirmed']);
    expect(world.ofType('MintConfirmed')[0]?.data).toMatchObject({ orderId: derivedId('order', 'one'), accountId: 'account', txHash: done.txHash });
    await expect(world.base.transaction(done.txHash as Hex)).resolves.toMatchObject({ status: 'mined', succeeded: true });
    await expect(world.balance()).resolves.toBe(AMOUNT);
    await expect(world.base.mintedBy(referenceOf(done.mintId))).resolves.toBe(done.txHash);
    const [requested] = world.ofType('MintRequested');
    expect(new Set(world.events().filter(({ type }) => type !== 'NonceAllocated').map(({ meta }) => meta.correlationId))).toEqual(new Set([requested?.meta.correlationId]));
  });

  it('crosses to the decimals of the contract (domain 4: tempo/brlv has 6 on chain)', async () => {
    const world = await new World().start();
    await world.mint('tempo', { asset: 'tempo/brlv' });
    await world.ended('tempo');
    await expect(world.chains.get('tempo')?.tokenBalance('tempo/brlv', TO)).resolves.toBe(2_500_000n);
  });

  it('is refused with a code of the catalogue, and nothing is written', async () => {
    const world = await new World().start();
    const cases = [
      [{ asset: 'tempo/brlv', amount: '0.0000001' }, 'amount-scale-exceeded'], [{ amount: '0' }, 'amount-below-minimum'], [{ amount: '-1' }, 'invalid-format'],
      [{ to: '0x12' }, 'invalid-address'], [{ to: `0x${'0'.repeat(40)}` }, 'invalid-address'],
      [{ asset: 'eth-base/wbrly' }, 'asset-not-supported'], [{ asset: 'eth-base/usdc' }, 'asset-not-supported'], [{ asset: 'fiat/brl' }, 'asset-not-supported'],
    ] as const;
    for (const [change, code] of cases) await expect(world.mint('bad', change)).rejects.toMatchObject({ code });
    expect(world.events()).toEqual([]);
  });

  it('is made once however often it is asked for, and never with other terms', async () => {
    const world = await new World().start();
    await Promise.all(Array.from({ length: 50 }, () => world.mint('same')));
    await world.ended('same');
    await expect(world.mint('same', { amount: '3' })).rejects.toMatchObject({ code: 'mint-already-requested' });
    expect(world.ofType('NonceAllocated')).toHaveLength(1);
    await expect(world.balance()).resolves.toBe(AMOUNT);
  });

  it('shares its key with others: nonces without gaps or repeats, each mint once (reliability I7)', async () => {
    const world = await new World().start();
    const names = Array.from({ length: 150 }, (_, at) => `many ${at}`);
    await Promise.all(names.map((name) => world.mint(name)));
    for (const name of names) await expect(world.ended(name)).resolves.toMatchObject({ state: 'completed' });
    const nonces = world.ofType('TransactionSigned').map(({ data }) => (data as { nonce: number }).nonce);
    expect(nonces.sort((a, b) => a - b)).toEqual(names.map((_, at) => at));
    await expect(world.balance()).resolves.toBe(150n * AMOUNT);
  });
});

describe('a chain that misbehaves', () => {
  it.each([
    [{ kind: 'drop' }], [{ kind: 'unknown', arrived: true }], [{ kind: 'unknown', arrived: false }],
    [{ kind: 'refuse', reason: 'fee-too-low' }], [{ kind: 'refuse', reason: 'insufficient-gas-money' }],
  ] as const)('%j: the same bytes go out again, and the mint ends once (reliability D1, D2)', async (fault) => {
    const world = await new World().start();
    world.base.script(fault);
    await Promise.all([world.mint('struck'), world.mint('bystander')]);
    await expect(world.ended('struck')).resolves.toMatchObject({ state: 'completed' });
    await expect(world.ended('bystander')).resolves.toMatchObject({ state: 'completed' });
    expect(world.ofType('TransactionSigned')).toHaveLength(2);
    await expect(world.balance()).resolves.toBe(2n * AMOUNT);
  });

  it('reverts: the mint fails, nothing was minted, and the next one goes on (reliability D5)', async () => {
    const world = await new World().start();
    world.base.script({ kind: 'revert' });
    await world.mint('reverted');
    await expect(world.ended('reverted')).resolves.toMatchObject({ state: 'failed', failure: { code: 'mint-failed' } });
    expect(world.ofType('MintFailed')[0]?.data).toMatchObject({ orderId: derivedId('order', 'reverted'), accountId: 'account' });
    await world.mint('next');
    await expect(world.ended('next')).resolves.toMatchObject({ state: 'completed' });
    await expect(world.balance()).resolves.toBe(AMOUNT);
  });

  it('has taken the reference by another transaction: ours is reverted, but the tokens exist, so the mint is confirmed', async () => {
    const world = await new World().start();
    await world.diesAfter('TransactionSigned', 'taken');
    const reference = referenceOf(derivedId('mint', 'taken'));
    const other = await signed(world.base, signer, 'another key', world.base.mintCall({ reference, asset: 'eth-base/brlv', to: TO, units: AMOUNT }));
    await world.base.broadcast(other.raw);
    await world.start();
    await expect(world.ended('taken')).resolves.toMatchObject({ state: 'completed', txHash: other.hash });
    const [ours] = world.ofType('TransactionSigned');
    await expect(world.base.transaction((ours?.data as { txHash: Hex }).txHash)).resolves.toMatchObject({ revertReason: 'ReferenceAlreadyMinted' });
    await expect(world.balance()).resolves.toBe(AMOUNT);
  });

  it.each(['repooled', 'forgotten'] as const)('takes blocks back (%s): pending again, and confirmed once in the end (reliability D4)', async (transactions) => {
    const world = await new World({ instant: false, confirmations: 3 }).start();
    await world.mint('reorg');
    await eventually(() => expect(world.ofType('TransactionBroadcast')).toHaveLength(1));
    world.base.mine(2);
    world.base.reorg(2, transactions);
    world.base.mine(1);
    expect(world.ofType('TransactionConfirmed')).toEqual([]);
    const { txHash } = await eventually(async () => {
      world.base.mine();
      const mint = await world.bus.request(GetMint, { mintId: derivedId('mint', 'reorg') }, world.context());
      if (mint?.state !== 'completed') throw new Error('not yet');
      return mint;
    });
    await expect(world.base.transaction(txHash as Hex)).resolves.toMatchObject({ succeeded: true });
    await expect(world.balance()).resolves.toBe(AMOUNT);
    expect(world.ofType('TransactionSigned')).toHaveLength(1);
  });

  it('waits for its confirmations (contract: 12 on eth-base)', async () => {
    const world = await new World({ instant: false, confirmations: 12 }).start();
    await world.mint('patient');
    await eventually(() => expect(world.ofType('TransactionBroadcast')).toHaveLength(1));
    world.base.mine(11);
    await eventually(() => expect(world.ofType('MintSubmitted')).toHaveLength(1));
    await expect(world.bus.request(GetMint, { mintId: derivedId('mint', 'patient') }, world.context())).resolves.toMatchObject({ state: 'pending' });
    world.base.mine(1);
    await expect(world.ended('patient')).resolves.toMatchObject({ state: 'completed' });
  });

  it('does not answer: the wish is kept and carried out when it does', async () => {
    const world = await new World().start();
    world.base.setReachable(false);
    const names = Array.from({ length: 70 }, (_, at) => `dark ${at}`);
    await Promise.all(names.map((name) => world.mint(name)));
    await eventually(() => expect(world.ofType('TransactionIntended')).toHaveLength(names.length));
    world.base.setReachable(true);
    for (const name of names) await expect(world.ended(name)).resolves.toMatchObject({ state: 'completed' });
    await expect(world.balance()).resolves.toBe(BigInt(names.length) * AMOUNT);
  });

  it('has mined another transaction of the key under the nonce: given up at finality alone, and the next goes on', async () => {
    const world = await new World({ instant: false, confirmations: 2 }).start();
    await world.diesAfter('TransactionSigned', 'robbed');
    const call = world.base.transferCall({ asset: 'eth-base/usdc', to: TO, units: 0n });
    await world.base.broadcast((await signed(world.base, signer, 'operator', call, 0)).raw);
    world.base.mine();
    await world.start();
    await world.mint('next');
    await eventually(() => expect(world.ofType('TransactionBroadcast')).toHaveLength(1));
    expect(world.ofType('TransactionSuperseded')).toEqual([]);
    world.base.mine(2);
    await expect(world.ended('robbed')).resolves.toMatchObject({ state: 'failed' });
    await expect(world.ended('next')).resolves.toMatchObject({ state: 'completed' });
    expect(world.ofType('TransactionSuperseded')).toHaveLength(1);
    await expect(world.balance()).resolves.toBe(AMOUNT);
  });
});

describe('a crash', () => {
  const POINTS = ['MintRequested', 'TransactionIntended', 'NonceAllocated', 'TransactionSigned', 'TransactionBroadcast', 'MintSubmitted', 'TransactionConfirmed', 'MintConfirmed'];
  const striking = (type: string, kind: FaultKind) => ({ kind, match: (_: string, events: readonly EventToAppend[]) => events.some((event) => event.type === type) });

  it.each(POINTS)('after %s: one mint on the chain\'s own books after the restart (reliability D1)', async (type) => {
    const world = await new World().start();
    const fault = world.store.faults.next(striking(type, 'crash-after-append'));
    const asked = world.mint('crash').catch(() => undefined);
    await fault.struck;
    await asked;
    await world.stop();
    await world.start();
    await world.mint('crash');
    await expect(world.ended('crash')).resolves.toMatchObject({ state: 'completed' });
    await expect(world.balance()).resolves.toBe(AMOUNT);
    expect(world.ofType('NonceAllocated')).toHaveLength(1);
    expect(world.ofType('MintConfirmed')).toHaveLength(1);
  });

  it.each(['refuse', 'lose-reply', 'drop'] as const)('of an append (%s) at any step is made good, and each mint is made once (reliability B7)', async (kind) => {
    const world = await new World().start();
    for (const type of POINTS) {
      const fault = world.store.faults.next(striking(type, kind));
      await Promise.all([world.mint(type).catch(() => undefined), fault.struck]);
      await world.mint(type);
      await expect(world.ended(type)).resolves.toMatchObject({ state: 'completed' });
    }
    await expect(world.balance()).resolves.toBe(BigInt(POINTS.length) * AMOUNT);
    expect(world.ofType('NonceAllocated')).toHaveLength(POINTS.length);
  });

  it('of a chain that loses all: the log brings its transactions back (architecture, engines: Chain)', async () => {
    const world = await new World().start();
    await Promise.all(['a', 'b', 'c'].map((name) => world.mint(name)));
    for (const name of ['a', 'b', 'c']) await world.ended(name);
    await world.stop();
    world.base.forget();
    await expect(world.balance()).resolves.toBe(0n);
    await world.start();
    await eventually(async () => expect(await world.balance()).toBe(3n * AMOUNT));
    await world.mint('d');
    await expect(world.ended('d')).resolves.toMatchObject({ state: 'completed' });
    await expect(world.balance()).resolves.toBe(4n * AMOUNT);
  });

  it('that loses the views: they are filled again, and what was unfinished is finished', async () => {
    const world = await new World({ instant: false }).start();
    const { wallets } = await world.bus.request(ProvisionWallets, { accountId: 'a', parentId: null }, world.context());
    await world.mint('open');
    await eventually(() => expect(world.ofType('MintSubmitted')).toHaveLength(1));
    await world.stop();
    for (const ending of ['', '-wal', '-shm']) await rm(join(folder, `views.db${ending}`), { force: true });
    await world.start();
    await eventually(async () => expect((await world.bus.request(GetAccountWallets, { accountId: 'a' }, world.context())).wallets).toEqual(wallets));
    world.base.mine();
    await expect(world.ended('open')).resolves.toMatchObject({ state: 'completed' });
  });

  it('after which the log is older than the chain: the mint ends confirmed by the transaction that the log forgot', async () => {
    const world = await new World().start();
    await world.mint('twice');
    const { txHash } = await world.ended('twice');
    await world.stop();
    world.log = new MemoryLog();
    await world.start(join(folder, 'another'));
    await world.mint('twice');
    await expect(world.ended('twice')).resolves.toMatchObject({ state: 'completed', txHash });
    expect(world.ofType('NonceAllocated')).toEqual([]);
    await world.mint('fresh');
    await expect(world.ended('fresh')).resolves.toMatchObject({ state: 'completed' });
    await expect(world.balance()).resolves.toBe(2n * AMOUNT);
  });
});
