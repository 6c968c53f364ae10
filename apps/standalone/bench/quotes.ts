import type { Child } from './processes/child';
import { startChild } from './processes/child';
import type { ClusterReady } from './processes/cluster-child';
import type { Call } from './load/load';
import { median, pace, saturate, Target } from './load/load';
import { BUY_BRLV, Partner } from './load/partner';
import type { Row } from './report';

const CONNECTIONS = 64;
/** With fewer calls, compilation still cost a tenth of a quote. The bare route is small and is compiled long before. */
const WARM_UP = 20_000;
const CALLS = 6_000;
const ROUNDS = 3;
const PACED_PER_SECOND = 300;
const PACED_CALLS = 1_500;

/**
 * Measures quotes with checked credentials and a durable event, and as a reference a bare route that returns the same
 * response.
 */
export async function benchQuotes(scripts: { readonly cluster: string; readonly bare: string }): Promise<Row[]> {
  const cluster = await startChild<ClusterReady>(scripts.cluster, { MOVEMENTS_CHAINS: 'simulated' });
  const bare = await startChild<{ url: string }>(scripts.bare);
  const ours = new Target(cluster.ready.sandbox['base-url'], CONNECTIONS);
  const reference = new Target(bare.ready.url, CONNECTIONS);
  try {
    const call = new Partner(cluster.ready.sandbox, ours).quote(cluster.ready.sandbox['subaccount-id'], {
      ...BUY_BRLV,
      'source-amount': '100.00',
    });
    const calls = (count: number): Call[] => Array.from({ length: count }, () => call);
    await saturate(ours, calls(WARM_UP), CONNECTIONS);
    await saturate(reference, calls(WARM_UP), CONNECTIONS);
    const rounds = { ours: [] as Cost[], bare: [] as Cost[] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rounds.bare.push(await cost(bare, reference, calls(CALLS)));
      rounds.ours.push(await cost(cluster, ours, calls(CALLS)));
    }
    const paced = await pace(ours, calls(PACED_CALLS), PACED_PER_SECOND);
    const cpu = {
      ours: median(rounds.ours.map((one) => one.cpuMicros)),
      bare: median(rounds.bare.map((one) => one.cpuMicros)),
    };
    return [
      {
        name: 'quotes/s, 64 connections',
        value: median(rounds.ours.map((one) => one.perSecond)),
        reference: median(rounds.bare.map((one) => one.perSecond)),
        referenceName: 'bare Fastify route',
      },
      {
        name: 'CPU of a quote, µs',
        value: cpu.ours,
        reference: cpu.bare,
        referenceName: 'bare Fastify route',
      },
      { name: `quote p50 at ${PACED_PER_SECOND}/s, ms`, value: paced.p50Ms },
      { name: `quote p99 at ${PACED_PER_SECOND}/s, ms`, value: paced.p99Ms },
    ];
  } finally {
    await Promise.all([ours.close(), reference.close()]);
    await Promise.all([cluster.stop(), bare.stop()]);
  }
}

interface Cost {
  readonly cpuMicros: number;
  readonly perSecond: number;
}

async function cost(child: Child<unknown>, target: Target, calls: readonly Call[]): Promise<Cost> {
  const before = await child.vitals();
  const { perSecond, refused } = await saturate(target, calls, CONNECTIONS);
  if (refused > 0) throw new Error(`${refused} calls were refused`);
  const after = await child.vitals();
  return { cpuMicros: (after.cpuMicros - before.cpuMicros) / calls.length, perSecond };
}
