import { startChild } from './processes/child';
import type { ClusterReady } from './processes/cluster-child';
import { saturate, Target } from './load/load';
import { Partner } from './load/partner';
import type { Row } from './report';

const MIB = 1024 * 1024;
const CALLS = 5_000;
const CONNECTIONS = 64;
const MAX_SECONDS = 3;
const MAX_MIB = 300;

/**
 * Measures the start-up time with the local chains and the memory before and after some work, without the chains' own
 * processes.
 */
export async function benchFootprint(script: string): Promise<Row[]> {
  const cluster = await startChild<ClusterReady>(script);
  const target = new Target(cluster.ready.sandbox['base-url'], CONNECTIONS);
  try {
    const idle = (await cluster.vitals()).residentBytes / MIB;
    const call = new Partner(cluster.ready.sandbox, target).quote(cluster.ready.sandbox['subaccount-id']);
    await saturate(
      target,
      Array.from({ length: CALLS }, () => call),
      CONNECTIONS,
    );
    const busy = (await cluster.vitals()).residentBytes / MIB;
    const { startupSeconds } = cluster.ready;
    return [
      {
        name: 'start-up with the chains, s',
        value: startupSeconds,
        target: `under ${MAX_SECONDS} s`,
        met: startupSeconds < MAX_SECONDS,
      },
      { name: 'memory idle, MiB', value: idle },
      { name: `memory after ${CALLS} quotes, MiB`, value: busy, target: `under ${MAX_MIB} MiB`, met: busy < MAX_MIB },
    ];
  } finally {
    await target.close();
    await cluster.stop();
  }
}
