import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { Child } from './processes/child';
import { startChild } from './processes/child';
import type { ClusterReady } from './processes/cluster-child';
import { median, saturate, Target } from './load/load';
import type { QuoteRequest } from './load/partner';
import { BUY_BRLV, BUY_USDC, Partner, SELL_USDC } from './load/partner';
import type { Row } from './report';

const ACCOUNTS = 64;
const CONNECTIONS = 64;
const FUNDS = '1000000.00';
const WARM_UP = 3_000;
const CALLERS = [1, 16, 64] as const;
const ORDERS: Readonly<Record<(typeof CALLERS)[number], number>> = { 1: 150, 16: 1_000, 64: 2_000 };
const ROUNDS = 3;
const COMPLETED = 2_000;
const PATIENCE_MS = 120_000;
const POLL_MS = 5;
const MIN_PER_SECOND = 1_500;
const MIN_COMPLETED_PER_SECOND = 500;
const MIN_MEMORY_SHARE = 0.8;

/** A running cluster with funded accounts. */
export interface Fixtures {
  readonly child: Child<ClusterReady>;
  readonly target: Target;
  readonly partner: Partner;
  readonly accounts: readonly string[];
  close(): Promise<void>;
}

/**
 * Measures acceptances with a durable hold and order, and as a reference the same cluster with an event store that
 * costs nothing.
 */
export async function benchOrders(script: string, postgresPerSecond: number | undefined): Promise<Row[]> {
  const durable = await open(script, {});
  const memory = await open(script, { BENCH_STORE: 'none' });
  try {
    for (const fixtures of [durable, memory]) await accept(fixtures, fixtures.accounts, WARM_UP, CONNECTIONS);
    const rates = { durable: new Map<number, number[]>(), memory: [] as number[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.memory.push(await accept(memory, memory.accounts, ORDERS[64], 64));
      for (const callers of CALLERS)
        rates.durable.set(callers, [
          ...(rates.durable.get(callers) ?? []),
          await accept(durable, durable.accounts, ORDERS[callers], callers),
        ]);
    }
    const reference = median(rates.memory);
    const at = (callers: number) => median(rates.durable.get(callers) ?? []);
    const hot = await accept(durable, durable.accounts.slice(0, 1), ORDERS[64], 64);
    const bought = await accept(durable, durable.accounts, ORDERS[64], 64, BUY_USDC);
    const sold = await accept(durable, durable.accounts, ORDERS[64], 64, SELL_USDC);
    const completed = await complete(durable);
    return [
      { name: 'orders accepted/s, 1 caller', value: at(1) },
      { name: 'orders accepted/s, 16 callers', value: at(16) },
      {
        name: 'orders accepted/s, 64 callers',
        value: at(64),
        reference,
        referenceName: 'the same without a store',
        target: `at least ${MIN_MEMORY_SHARE}x`,
        met: at(64) >= MIN_MEMORY_SHARE * reference,
      },
      {
        name: 'orders accepted/s, 64 callers',
        value: at(64),
        target: `at least ${MIN_PER_SECOND}/s`,
        met: at(64) >= MIN_PER_SECOND,
      },
      ...(postgresPerSecond === undefined
        ? []
        : [
            {
              name: 'orders accepted/s, 64 callers',
              value: at(64),
              reference: postgresPerSecond,
              referenceName: 'PostgreSQL postings',
              target: 'at least 1.0x',
              met: at(64) >= postgresPerSecond,
            },
          ]),
      {
        name: 'orders accepted/s, 64 callers, one account',
        value: hot,
        reference: at(64),
        referenceName: `${ACCOUNTS} accounts`,
      },
      { name: 'orders accepted/s, 64 callers, BRL→USDC', value: bought, reference: at(64), referenceName: 'BRL→BRLV' },
      { name: 'orders accepted/s, 64 callers, USDC→BRL', value: sold, reference: at(64), referenceName: 'BRL→BRLV' },
      {
        name: 'orders completed/s, chain left out',
        value: completed,
        target: `at least ${MIN_COMPLETED_PER_SECOND}/s`,
        met: completed >= MIN_COMPLETED_PER_SECOND,
      },
    ];
  } finally {
    await Promise.all([durable.close(), memory.close()]);
  }
}

export async function open(script: string, env: Readonly<Record<string, string>>): Promise<Fixtures> {
  const child = await startChild<ClusterReady>(script, {
    MOVEMENTS_CHAINS: 'simulated',
    BENCH_ACCOUNTS: String(ACCOUNTS),
    ...env,
  });
  const target = new Target(child.ready.sandbox['base-url'], CONNECTIONS);
  const fixtures: Fixtures = {
    child,
    target,
    partner: new Partner(child.ready.sandbox, target),
    accounts: child.ready.accounts,
    async close() {
      await target.close();
      await child.stop();
    },
  };
  for (const account of fixtures.accounts)
    await fixtures.partner.ask(
      fixtures.partner.post('/api/v1/sandbox/pix-payments', { 'account-id': account, amount: FUNDS }),
    );
  for (const account of fixtures.accounts) await funded(fixtures, account);
  return fixtures;
}

async function funded({ partner }: Fixtures, account: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const { balance } = await partner.ask<{ balance: { 'available-balance': string } }>(
      partner.get(`/api/v1/accounts/${account}/assets/brl/balance`),
    );
    if (balance['available-balance'] === FUNDS) return;
    await wait(20);
  }
  throw new Error(`account ${account} was not funded`);
}

/** Returns acceptances per second, after all accepted orders have ended so that they do not affect the next figure. */
async function accept(
  fixtures: Fixtures,
  accounts: readonly string[],
  count: number,
  callers: number,
  wanted: QuoteRequest = BUY_BRLV,
): Promise<number> {
  const calls = await fixtures.partner.acceptances(accounts, count, wanted);
  const { perSecond, refused } = await saturate(fixtures.target, calls, callers);
  if (refused > 0) throw new Error(`${refused} acceptances were refused`);
  await drained(fixtures, accounts);
  return perSecond;
}

/** Returns orders completed per second, from the first acceptance until the last order is completed. */
export async function complete(fixtures: Fixtures, count = COMPLETED): Promise<number> {
  const calls = await fixtures.partner.acceptances(fixtures.accounts, count);
  const began = performance.now();
  await saturate(fixtures.target, calls, CONNECTIONS);
  await drained(fixtures, fixtures.accounts);
  return (count * 1000) / (performance.now() - began);
}

/** Waits until no order, transfer or withdrawal of these accounts is in one of the states. */
export async function drained(
  { partner }: Fixtures,
  accounts: readonly string[],
  path: 'orders' | 'transfers' | 'withdrawals' = 'orders',
  states: readonly string[] = ['created', 'processing'],
): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (const account of accounts)
    for (const state of states)
      for (; ; await wait(POLL_MS)) {
        const list = partner.get(`/api/v1/accounts/${account}/${path}?state=${state}&limit=1`);
        const found = await partner.ask<Record<string, readonly unknown[]>>(list);
        if (found[path]?.length === 0) break;
        if (performance.now() > end) throw new Error(`${path} of ${account} stay ${state}`);
      }
}
