import type { EnvelopePublished, NoncesAllocated } from '@ponte/contracts';
import { outboxEntries } from '@ponte/contracts';
import { trialBalanceOf, ofType } from '../testing/trial-balance';
import type { LoadAftermath } from './testing/kill-under-load';
import { killOnCluster } from './testing/kill-on-cluster';
import { chosenPoints } from './testing/kill-points';
import { killClusterUnderLoad, killUnderLoad } from './testing/kill-under-load';
import type { Aftermath, KillPoint } from './testing/kill-scenario';
import { FUNDS, killAndRecover, SPENT } from './testing/kill-scenario';
import { KillableCluster } from '../testing/killable-cluster';
import { ANVIL, CLUSTERED, Program } from '../testing/program';

/** On a cluster of processes the scenarios run one by one, and each test waits for its own. */
jest.setTimeout(CLUSTERED ? 1_800_000 : 240_000);
const ORDERS = 40;

const at = (
  failpoint: string,
  chain: KillPoint['chain'] = 'simulated',
  paidBy: KillPoint['paidBy'] = 'balance',
  env = {},
): KillPoint => ({ failpoint, chain, paidBy, env });

/** Points at which the client gets no response. Its key is unlocked when the process has restarted. */
const UNANSWERED: readonly KillPoint[] = chosenPoints([
  at('after:HoldPlaced'),
  at('before:OrderPlaced'),
  at('after:OrderPlaced'),
  at('after:PixChargeRequested', 'simulated', 'brcode'),
  // The sweep releases the hold before the client retries.
  at('after:HoldPlaced', 'simulated', 'balance', { ORDERS_FORGOTTEN_SECONDS: '1' }),
]);
const ANSWERED: readonly KillPoint[] = chosenPoints([
  at('after:TransactionIntended'),
  // Reliability D1: before and after the transaction is signed, broadcast and mined.
  at('after:NoncesAllocated', 'anvil'),
  at('after:TransactionSigned', 'anvil'),
  at('before:TransactionConfirmed', 'anvil'),
  at('after:TransactionConfirmed', 'anvil'),
  at('before:ExchangePosted'),
  at('after:ExchangePosted'),
  at('after:OrderCompleted'),
  // Reliability B1 and E5: between an event and its publication, and between the receiver's 200 and recording it.
  at('before:EnvelopePublished:3'),
  at('before:DeliveredAtOnce:2'),
  at('after:DepositCreated', 'simulated', 'brcode'),
  at('after:DepositPostedAndHeld', 'simulated', 'brcode'),
  at('after:PixChargePaid', 'simulated', 'brcode'),
  at('after:OrderProcessingStarted', 'simulated', 'brcode'),
]);

let program: Program;
const runs = new Map<KillPoint | 'under load', Promise<unknown>>();

/**
 * With the embedded cluster each point has its own folder and process, and a few points of each kind and the load run
 * in parallel. A machine has room for only one cluster of processes, so there the points run one after another. Each
 * test below awaits its own.
 */
beforeAll(async () => {
  program = await Program.build();
  if (CLUSTERED) return onOneCluster();
  for (const [points, parallel] of [
    [UNANSWERED, 3],
    [ANSWERED, 2],
  ] as const)
    inParallel(points, parallel, (point) => killAndRecover(program, point));
  inParallel(['under load'] as const, 1, () => killUnderLoad(program, ORDERS));
});

/**
 * Points with their own settings come last: the load kills the whole cluster, which is then started again with those
 * settings.
 */
async function onOneCluster(): Promise<void> {
  const points = [...ANSWERED, ...UNANSWERED];
  const own = points.filter(({ env = {} }) => Object.keys(env).length > 0);
  const cluster = await KillableCluster.start(program, ANVIL);
  const order = [...points.filter((point) => !own.includes(point)), 'under load' as const, ...own];
  inParallel(order, 1, (point) =>
    point === 'under load'
      ? killClusterUnderLoad(cluster, ORDERS, { ...ANVIL, ...own[0]?.env })
      : killOnCluster(cluster, point),
  );
}

function inParallel<P extends KillPoint | 'under load'>(
  points: readonly P[],
  parallel: number,
  run: (point: P) => Promise<unknown>,
): void {
  const ends: Promise<unknown>[] = [];
  points.forEach((point, index) => {
    const before = ends[index % parallel] ?? Promise.resolve();
    const outcome = before.then(() => run(point));
    // A failure is reported by its own test and does not stop the others.
    ends[index % parallel] = outcome.catch(() => undefined);
    runs.set(point, outcome);
  });
}
afterAll(() => program.close());

/** All allocated nonces, one for each transaction. */
const noncesIn = (log: Aftermath['log']): number[] =>
  ofType<NoncesAllocated['data']>(log, 'NoncesAllocated').flatMap(({ data }) =>
    data.transactionIds.map((_, at) => data.first + at),
  );

const name = ({ failpoint, chain, paidBy, env = {} }: KillPoint): string =>
  [failpoint, `paid by ${paidBy}`, `${chain} chain`, ...Object.keys(env)].join(', ');

describe('an order ends exactly once when its process is killed with SIGKILL and restarted', () => {
  it.each([...ANSWERED, ...UNANSWERED].map((point) => [name(point), point] as const))('%s', async (_name, point) => {
    const after = (await runs.get(point)) as Aftermath;
    expect(after.killedBy).toBe('SIGKILL');
    expectOneOrder(after);
    expectExactMoney(after, point);
    expectOneMint(after, point);
    expectEverythingReported(after);
  });

  function expectOneOrder({ orders, order, orderId, answers, log }: Aftermath): void {
    expect(orders.map(({ id, state }) => [id, state])).toEqual([[orderId, 'completed']]);
    expect(order['tx-hash']).toMatch(/^0x[0-9a-f]{64}$/);
    // All responses were the same.
    expect(new Set(answers).size).toBe(1);
    for (const type of ['OrderPlaced', 'OrderProcessingStarted', 'OrderCompleted', 'ExchangePosted'])
      expect([type, ofType(log, type).length]).toEqual([type, 1]);
    expect(ofType(log, 'OrderRolledBack')).toEqual([]);
  }

  function expectExactMoney({ brl, brlv, log }: Aftermath, { paidBy }: KillPoint): void {
    const left = paidBy === 'balance' ? '60.00' : '0.00';
    expect([FUNDS, SPENT]).toEqual(['100.00', '40.00']);
    expect(brl).toEqual({ running: left, available: left, held: '0.00' });
    expect(brlv).toEqual({
      running: '40.000000000000000000',
      available: '40.000000000000000000',
      held: '0.000000000000000000',
    });
    const { unbalancedAt, openHolds } = trialBalanceOf(log);
    expect({ unbalancedAt, openHolds }).toEqual({ unbalancedAt: null, openHolds: [] });
    expect([ofType(log, 'DepositCreated').length, ofType(log, 'DepositCredited').length]).toEqual([1, 1]);
  }

  function expectOneMint({ chain, log }: Aftermath, point: KillPoint): void {
    // The shared cluster has a real chain for every point.
    expect(chain).toEqual(CLUSTERED || point.chain === 'anvil' ? { supply: '40', wallet: '40' } : null);
    for (const type of ['TransactionIntended', 'TransactionSigned', 'TransactionConfirmed']) {
      expect([type, ofType(log, type).length]).toEqual([type, 1]);
    }
    expect(noncesIn(log)).toEqual(CLUSTERED ? [expect.any(Number)] : [0]);
  }

  /**
   * Each event arrived at least once with the same `event-id`, and `sequence` counts from 1 without gaps per resource.
   */
  function expectEverythingReported({ webhooks, refusedWebhooks, log, orderId, accountId }: Aftermath): void {
    // The parent has its own outbox.
    const own = log.filter(({ stream }) => stream === `outbox-${accountId}`);
    const published = ofType<EnvelopePublished['data']>(own, 'EnvelopePublished')
      .flatMap(({ data }) => outboxEntries(data))
      .map(({ envelope }) => envelope);
    const reported = webhooks.map(
      (one) => [one['event-id'], one['event-type'], one['resource-id'], one.sequence] as const,
    );
    expect([...reported].sort()).toEqual(
      published.map((one) => [one.eventId, one.eventType, one.resourceId, one.sequence] as const).sort(),
    );
    expect(
      reported
        .filter(([, , resource]) => resource === orderId)
        .map(([, type, , sequence]) => [sequence, type])
        .sort(),
    ).toEqual([
      [1, 'order-created'],
      [2, 'order-processing'],
      [3, 'order-completed'],
    ]);
    expect(
      reported.filter(([, , resource]) => resource !== orderId).map(([, type, , sequence]) => [sequence, type]),
    ).toEqual([[1, 'deposit-processed']]);
    expect(refusedWebhooks).toBe(0);
  }
});

describe('killed with SIGKILL under load', () => {
  it('every order is executed once, whether or not it had been answered', async () => {
    const { killedBy, states, brl, brlv, log } = (await runs.get('under load')) as LoadAftermath;
    expect(killedBy).toBe('SIGKILL');
    expect(states).toEqual(Array.from({ length: ORDERS }, () => 'completed'));
    expect(brl).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
    expect(brlv).toMatchObject({ running: `${ORDERS}.000000000000000000` });
    expect(trialBalanceOf(log)).toMatchObject({ unbalancedAt: null, openHolds: [] });
    const nonces = noncesIn(log).sort((a, b) => a - b);
    expect(nonces).toEqual(Array.from({ length: ORDERS }, (_, at) => (CLUSTERED ? (nonces[0] ?? 0) : 0) + at));
    for (const type of ['OrderPlaced', 'OrderCompleted', 'ExchangePosted', 'TransactionConfirmed'])
      expect([type, ofType(log, type).length]).toEqual([type, ORDERS]);
  });
});
