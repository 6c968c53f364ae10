import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  GetAccount,
  GetAccountWallets,
  GetChains,
  GetSettlement,
  ProvisionWallets,
  RequestSettlement,
} from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { BusTransport, EnginesModule, createLogger, openEmbeddedEngines } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import { readLastRun } from './chain/adapters/local-anvil/last-run';
import type { OpenChains } from './chain/adapters/open-chains';
import { openChains } from './chain/adapters/open-chains';
import { MovementsModule } from './movements.module';
import type { EvmChain, Hex } from './chain/chain.port';

@Module({})
class Root {}

interface Fixtures {
  readonly bus: MessageBus;
  readonly evm: EvmChain;
  context(): RequestContext;
  stop(): Promise<void>;
}

const CHAINS = { kind: 'local', blockMs: 30, finalAfter: 1 } as const;
const UNIT = 10n ** 18n;
let folder: string;
let running: Fixtures[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ponte-movements-'));
});
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<Fixtures> {
  const runtime = {
    environment: 'sandbox',
    dataDirectory: folder,
    port: 0,
    logLevel: 'silent',
    embeddedByName: true,
    failpoint: null,
  } as const;
  const engines = await openEmbeddedEngines(runtime, 'movements', { logger: createLogger('movements', 'silent') });
  const open: OpenChains = await openChains({
    which: CHAINS,
    folder,
    keystore: { kind: 'file', passphrase: 'correct horse' },
    operatorKeyIds: ['operator'],
    environment: 'sandbox',
  });
  const module = MovementsModule.over(
    { chains: CHAINS, keystore: { kind: 'file', passphrase: '' }, signerLimits: {}, operatorKeys: 1, pollMs: 50 },
    open,
  );
  const app = await NestFactory.createMicroservice(
    { module: Root, imports: [EnginesModule.forRoot(engines), module] },
    { strategy: new BusTransport(engines.bus), logger: false, abortOnError: false },
  );
  // The account of a waiting intent is checked again.
  engines.bus.handle(GetAccount.pattern, async () => ({ status: 'active' }));
  await app.listen();
  engines.timers.start();
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await engines.timers.stop();
    await app.close();
    await engines.close();
  };
  const movements: Fixtures = {
    bus: engines.bus,
    evm: open.chains.of('eth-base').evm,
    stop: () => (stopping ??= stop()),
    context: () => {
      const id = engines.ids.next();
      return { commandId: id, correlationId: id };
    },
  };
  running.push(movements);
  return movements;
}

const request = (movements: Fixtures, name: string, to: string) =>
  movements.bus.request(
    RequestSettlement,
    {
      settlementId: derivedId('mint', name),
      kind: 'mint',
      orderId: derivedId('order', name),
      accountId: 'account',
      asset: 'eth-base/brlv',
      amount: '1',
      brlAmount: '1.00',
      wallet: to,
    },
    movements.context(),
  );

const completed = (movements: Fixtures, name: string) =>
  eventually(async () => {
    const query = { settlementId: derivedId('mint', name), kind: 'mint' } as const;
    const mint = await movements.bus.request(GetSettlement, query, movements.context());
    expect(mint).toMatchObject({ state: 'completed' });
  });

describe('movements on a real EVM', () => {
  it("mint to the account's wallet once each, even when the node and the process are killed", async () => {
    let movements = await start();
    const { wallets } = await movements.bus.request(
      ProvisionWallets,
      { accountId: 'account', parentId: null },
      movements.context(),
    );
    const to = wallets.find(({ chain }) => chain === 'eth-base')?.address as Hex;
    const { chains } = await movements.bus.request(GetChains, {}, movements.context());
    expect(chains.map(({ url }) => url)).toEqual(
      [1, 2, 3].map(() => expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/)),
    );

    const names = Array.from({ length: 20 }, (_, at) => `mint ${at}`);
    await Promise.all(names.map((name) => request(movements, name, to)));
    for (const name of names) await completed(movements, name);
    await expect(movements.evm.tokenBalance('eth-base/brlv', to)).resolves.toBe(20n * UNIT);

    // The node is killed in the middle of further mints and loses what it had not saved. Soon after, the process stops.
    const further = names.map((name) => `further ${name}`);
    await Promise.all(further.map((name) => request(movements, name, to)));
    const { pid = 0 } = (await readLastRun(join(folder, 'chains', 'eth-base', 'process.json'))) ?? {};
    expect(pid).toBeGreaterThan(0);
    process.kill(pid, 'SIGKILL');
    await request(movements, 'while the node was down', to);
    await movements.stop();
    running = [];

    movements = await start();
    for (const name of [...further, 'while the node was down']) await completed(movements, name);
    await eventually(async () => expect(await movements.evm.tokenBalance('eth-base/brlv', to)).toBe(41n * UNIT));
    await expect(
      movements.bus.request(GetAccountWallets, { accountId: 'account' }, movements.context()),
    ).resolves.toEqual({ wallets });
  });
});
