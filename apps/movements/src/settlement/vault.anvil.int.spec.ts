import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INestMicroservice } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { SettlementKind } from '@ponte/contracts';
import {
  GetAccount,
  GetAccountWallets,
  GetSettlement,
  GetSharePrice,
  ProvisionWallets,
  RequestSettlement,
} from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { derivedId, formatDecimal, parseDecimal, rescaleExact } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { BusTransport, EnginesModule, createLogger, openEmbeddedEngines } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import type { OpenChains } from '../chain/adapters/open-chains';
import { openChains } from '../chain/adapters/open-chains';
import { MovementsModule } from '../movements.module';
import type { EvmChain, Hex } from '../chain/chain.port';

@Module({})
class Root {}

const CHAINS = { kind: 'local', blockMs: 30, finalAfter: 1 } as const;
const SHARES: AssetId = 'eth-base/wbrly';
const BACKING: AssetId = 'eth-base/brly';
const ACCOUNT = 'account';
let folder: string;
let engines: Engines;
let app: INestMicroservice;
let evm: EvmChain;
let vault: Hex;
let wallet: Hex;

const context = (): RequestContext => {
  const id = engines.ids.next();
  return { commandId: id, correlationId: id };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ponte-vault-'));
  const runtime = {
    environment: 'sandbox',
    dataDirectory: folder,
    port: 0,
    logLevel: 'silent',
    embeddedByName: true,
    failpoint: null,
  } as const;
  engines = await openEmbeddedEngines(runtime, 'movements', { logger: createLogger('movements', 'silent') });
  const keystore = { kind: 'file', passphrase: 'correct horse' } as const;
  const opening = { which: CHAINS, folder, keystore, operatorKeyIds: ['operator'], environment: 'sandbox' } as const;
  const open: OpenChains = await openChains(opening);
  const config = { chains: CHAINS, keystore, signerLimits: {}, operatorKeys: 1, pollMs: 50 };
  app = await NestFactory.createMicroservice(
    { module: Root, imports: [EnginesModule.forRoot(engines), MovementsModule.over(config, open)] },
    { strategy: new BusTransport(engines.bus), logger: false, abortOnError: false },
  );
  // The account of a waiting intent is checked again.
  engines.bus.handle(GetAccount.pattern, async () => ({ status: 'active' }));
  await app.listen();
  engines.timers.start();
  const served = open.chains.of('eth-base');
  evm = served.evm;
  vault = served.tokens[SHARES] as Hex;
  await engines.bus.request(ProvisionWallets, { accountId: ACCOUNT, parentId: null }, context());
  const { wallets } = await engines.bus.request(GetAccountWallets, { accountId: ACCOUNT }, context());
  wallet = wallets.find(({ chain }) => chain === 'eth-base')?.address as Hex;
}, 120_000);
afterAll(async () => {
  await engines.timers.stop();
  await app.close();
  await engines.close();
  await rm(folder, { recursive: true, force: true });
});

const scaled = (text: string, scale: number): bigint => {
  const decimal = parseDecimal(text);
  const value = decimal && rescaleExact(decimal, scale);
  if (value === undefined) throw new Error(`not a decimal: ${text}`);
  return value;
};

/** Sends BRLY to the vault without issuing shares, which raises the price of every share. */
async function donate(name: string, amount: string): Promise<void> {
  const mint = { settlementId: derivedId('donation', name), kind: 'mint' } as const;
  const order = { orderId: derivedId('order', name), accountId: ACCOUNT, brlAmount: '1.00' };
  const donation = { ...mint, ...order, asset: BACKING, amount, wallet: vault };
  await engines.bus.request(RequestSettlement, donation, context());
  await eventually(async () => {
    expect(await engines.bus.request(GetSettlement, mint, context())).toMatchObject({ state: 'completed' });
  });
}

/** The price that pricing reads, once the current head is final. */
async function price(): Promise<{ price: bigint; cost: bigint }> {
  const head = await evm.headBlock();
  return eventually(async () => {
    const sharePrice = await engines.bus.request(GetSharePrice, { asset: SHARES }, context());
    if (!sharePrice || Number(sharePrice.blockNumber) < head.number) throw new Error('the block is not final yet');
    expect(Math.abs(Date.now() - Date.parse(sharePrice.minedAt))).toBeLessThan(60_000);
    return { price: scaled(sharePrice.price, 10), cost: scaled(sharePrice.cost, 10) };
  });
}

async function settle(name: string, kind: SettlementKind, shares: bigint, centavos: bigint): Promise<string> {
  const settlementId = derivedId('settlement', name);
  const amounts = { amount: formatDecimal(shares, 18), brlAmount: formatDecimal(centavos, 2) };
  const about = { settlementId, orderId: derivedId('order', name), accountId: ACCOUNT, wallet, asset: SHARES };
  await engines.bus.request(RequestSettlement, { ...about, kind, ...amounts }, context());
  return eventually(async () => {
    const state = (await engines.bus.request(GetSettlement, { settlementId, kind }, context()))?.state;
    if (state !== 'completed' && state !== 'failed') throw new Error(`the settlement is ${state}`);
    return state;
  });
}

/** BRLY in the vault, minor units of 18 decimals. */
const backing = () => evm.tokenBalance(BACKING, vault);
/** docs/pricing.md: shares = floor18(BRL / price), BRL = floor2(shares * price); the rate has 10 decimals. */
const sharesFor = (centavos: bigint, rate: bigint): bigint => (centavos * 10n ** 26n) / rate;
const brlFor = (shares: bigint, rate: bigint): bigint => (shares * rate) / 10n ** 26n;
const CENTAVO = 10n ** 16n;

describe('vault shares at a price that ten decimals cannot express', () => {
  it('cost at most what was paid, and return at least what is paid out', async () => {
    const first = await price();
    expect(await settle('first', 'vault-deposit', sharesFor(100_00n, first.cost), 100_00n)).toBe('completed');
    for (const [round, gift] of ['33.333333333333333333', '0.000000000000000007', '17.123456789012345678'].entries()) {
      await donate(`gift ${round}`, gift);
      const now = await price();
      expect(now.cost).toBeGreaterThanOrEqual(now.price);
      for (const centavos of [1_00n, 33_33n, 10_000_07n]) {
        const before = await backing();
        const bought = sharesFor(centavos, now.cost);
        expect(await settle(`buy ${round} ${centavos}`, 'vault-deposit', bought, centavos)).toBe('completed');
        const backingAfter = await backing();
        expect(backingAfter - before).toBeLessThanOrEqual(centavos * CENTAVO);
        const paidOut = brlFor(bought, now.price);
        expect(paidOut).toBeLessThanOrEqual(centavos);
        expect(await settle(`sell ${round} ${centavos}`, 'vault-redeem', bought, paidOut)).toBe('completed');
        expect(backingAfter - (await backing())).toBeGreaterThanOrEqual(paidOut * CENTAVO - 100n);
      }
    }
  }, 240_000);

  it('return the exact BRL amount although their number is rounded down', async () => {
    const { price: rate } = await price();
    for (const centavos of [1_00n, 7_77n]) {
      expect(await settle(`exact ${centavos}`, 'vault-redeem', sharesFor(centavos, rate), centavos)).toBe('completed');
    }
  }, 60_000);

  it('are not bought when the price has risen since the quote', async () => {
    const { cost } = await price();
    await donate('rise', '50.00');
    const before = await backing();
    expect(await settle('too dear', 'vault-deposit', sharesFor(10_00n, cost), 10_00n)).toBe('failed');
    expect(await backing()).toBe(before);
  }, 60_000);
});
