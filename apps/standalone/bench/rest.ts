import { setTimeout as wait } from 'node:timers/promises';
import { startChild } from './processes/child';
import type { ClusterReady } from './processes/cluster-child';
import { saturate, Target } from './load/load';
import { Partner } from './load/partner';
import type { Row } from './report';

const CONNECTIONS = 16;
const ORDERS = 100;
/**
 * Chains slow down after ten seconds. Within the first minute V8 frees the memory that the work needed, which costs
 * half a second of CPU time.
 */
const SETTLE_MS = 120_000;
/** From the payment to the credited deposit. */
const FUNDED_MS = 1_000;
const MEASURED_MS = 60_000;
const MAX_PERCENT = 1;
const PERCENT = 100;
const MICROS_PER_MS = 1_000;

/**
 * Measures the CPU time (user plus system) of an idle sandbox that has done some work, in percent of one core. Run it
 * on a quiet machine: beside eleven busy processes on two cores it was four times as high.
 */
export async function benchRest(script: string): Promise<Row[]> {
  const cluster = await startChild<ClusterReady>(script);
  const { sandbox } = cluster.ready;
  const target = new Target(sandbox['base-url'], CONNECTIONS);
  try {
    const account = sandbox['subaccount-id'];
    const partner = new Partner(sandbox, target);
    await partner.ask(partner.post('/api/v1/sandbox/pix-payments', { 'account-id': account, amount: '1000.00' }));
    await wait(FUNDED_MS);
    await saturate(target, await partner.acceptances([account], ORDERS), CONNECTIONS);
    await wait(SETTLE_MS);
    const before = await cluster.vitals();
    await wait(MEASURED_MS);
    const after = await cluster.vitals();
    const value = ((after.cpuMicros - before.cpuMicros) / (MEASURED_MS * MICROS_PER_MS)) * PERCENT;
    return [
      {
        name: `processor at rest after ${ORDERS} orders, % of a core`,
        value,
        target: `under ${MAX_PERCENT} %`,
        met: value < MAX_PERCENT,
      },
    ];
  } finally {
    await target.close();
    await cluster.stop();
  }
}
