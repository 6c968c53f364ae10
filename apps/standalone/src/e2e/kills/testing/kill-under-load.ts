import type { Recorded } from '@ponte/event-sourcing';
import { readLog, readRunningLog } from '../../testing/trial-balance';
import type { Balance } from '../../testing/customer';
import { Customer } from '../../testing/customer';
import type { KillableCluster } from '../../testing/killable-cluster';
import type { Env, Program, Running } from '../../testing/program';
import { until } from '../../testing/waiting';

export interface LoadAftermath {
  readonly killedBy: NodeJS.Signals | null;
  /** The final state of each order, in the order of the commands. */
  readonly states: readonly string[];
  readonly brl: Balance;
  readonly brlv: Balance;
  readonly log: readonly Recorded[];
}

const DEATH_MS = 20_000;
const RETRY_MS = 90_000;
const RETRY_STEP_MS = 250;

/**
 * Places `count` orders concurrently, kills the process when a quarter of them is answered, and repeats every command
 * under its key.
 */
export async function killUnderLoad(program: Program, count: number): Promise<LoadAftermath> {
  const folder = program.dataFolder();
  const doomed = await program.start(folder);
  const quotes = await acceptUntilKilled(doomed, count);
  const { signal } = await doomed.ended(DEATH_MS);
  const running = await program.start(folder);
  const seen = await recovered(running, quotes);
  await running.stop();
  return { ...seen, killedBy: signal, log: await readLog(folder) };
}

/** The same on a shared cluster: all of its processes are killed at once and started again with these settings. */
export async function killClusterUnderLoad(cluster: KillableCluster, count: number, env: Env): Promise<LoadAftermath> {
  const before = (await readRunningLog(cluster.folder)).length;
  const doomed = cluster.running;
  const quotes = await acceptUntilKilled(doomed, count);
  const { signal } = await doomed.ended(DEATH_MS);
  await cluster.killAndStart(env);
  const seen = await recovered(cluster.running, quotes);
  return { ...seen, killedBy: signal, log: (await readRunningLog(cluster.folder)).slice(before) };
}

async function recovered(
  running: Running,
  quotes: readonly string[],
): Promise<Pick<LoadAftermath, 'states' | 'brl' | 'brlv'>> {
  const customer = Customer.of(running.sandbox);
  const orderIds = await Promise.all(
    quotes.map((quote) =>
      until(
        async () => {
          const answer = await customer.accept(quote, { key: quote });
          if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${answer.text}`);
          return answer.body.order.id;
        },
        RETRY_MS,
        RETRY_STEP_MS,
      ),
    ),
  );
  const states: string[] = [];
  for (const orderId of orderIds) states.push((await customer.ended(orderId)).state);
  const [brl, brlv] = [await customer.balance('brl'), await customer.balance('brlv')];
  await customer.api.close();
  return { states, brl, brlv };
}

async function acceptUntilKilled(doomed: Running, count: number): Promise<string[]> {
  const customer = Customer.of(doomed.sandbox);
  await customer.fund(`${count}.00`);
  const quotes = await Promise.all(Array.from({ length: count }, () => customer.quote('1.00')));
  let answered = 0;
  await Promise.all(
    quotes.map(async (quote) => {
      // Requests in progress at the kill get no response.
      const answer = await customer.accept(quote, { key: quote }).catch(() => undefined);
      answered += answer?.status === 200 ? 1 : 0;
      if (answered === count / 4) doomed.kill();
    }),
  );
  await customer.api.close();
  return quotes;
}
