import type { Chain } from '@ponte/kernel';
import type { OldOrder } from '../order/orders.read-model';
import { MAX_ORDERS_PER_RUN, SweepSchedule } from './sweep-schedule';

const START = Date.UTC(2026, 4, 13, 14);
const RETRY_MS = 300_000;
const MINUTE = 60_000;

/** Orders of a chain, one created per second, the first of them an hour before the start. */
const ordersOf = (chain: Chain, count: number): readonly OldOrder[] =>
  Array.from({ length: count }, (_, at) => ({
    orderId: `${chain} ${at}`,
    createdAt: new Date(START - 3_600_000 + at).toISOString(),
    chain,
  }));

/** One run over these orders, which are offered in pages. */
function pick(schedule: SweepSchedule, orders: readonly OldOrder[], now = START) {
  const run = schedule.run(now);
  for (let at = 0; at < orders.length; at += 300) run.offer(orders.slice(at, at + 300));
  const { orders: picked, left } = run.end();
  return { picked: picked.map(({ orderId }) => orderId), left };
}
const idsOf = (orders: readonly OldOrder[]) => orders.map(({ orderId }) => orderId);

describe('the orders that a sweep examines', () => {
  it('are a limited number of each chain, so that those of one chain do not wait for those of another', () => {
    const [out, healthy] = [ordersOf('eth-base', 3_000), ordersOf('tempo', 2)];
    const { picked } = pick(new SweepSchedule(RETRY_MS), [...out, ...healthy]);
    expect(picked).toHaveLength(MAX_ORDERS_PER_RUN + 2);
    expect(picked.slice(0, 4)).toEqual(['eth-base 0', 'tempo 0', 'eth-base 1', 'tempo 1']);
    expect(picked.filter((id) => id.startsWith('eth-base'))).toEqual(idsOf(out.slice(0, MAX_ORDERS_PER_RUN)));
  });

  it('are other ones in each run, until every order was examined', () => {
    const schedule = new SweepSchedule(RETRY_MS);
    const orders = ordersOf('eth-base', 3_000);
    const examined: string[] = [];
    for (let run = 0; run < 6; run += 1) {
      const { picked } = pick(schedule, orders, START + run * 30_000);
      for (const orderId of picked) schedule.recordWaiting(orderId, START + run * 30_000);
      examined.push(...picked);
    }
    expect(examined).toEqual(idsOf(orders));
  });

  it('leave out none that lacks its next step, however many wait or fail', () => {
    const schedule = new SweepSchedule(RETRY_MS);
    const orders = ordersOf('eth-base', 1_200);
    const last = 'eth-base 1199';
    const runs: number[] = [];
    for (let run = 0; run < 12; run += 1) {
      const now = START + run * 30_000;
      for (const orderId of pick(schedule, orders, now).picked) {
        if (orderId === last) runs.push(run);
        schedule[orderId === last ? 'recordMissing' : 'recordFailure'](orderId, now);
      }
    }
    // 1,200 orders are three runs of 500.
    expect(runs).toEqual([2, 5, 8, 11]);
  });

  it('are examined less and less often while they wait, at least every ten minutes', () => {
    const schedule = new SweepSchedule(RETRY_MS);
    const orders = ordersOf('eth-base', 1);
    const at: number[] = [];
    for (let now = START; now <= START + 40 * MINUTE; now += 30_000)
      for (const orderId of pick(schedule, orders, now).picked) {
        at.push((now - START) / MINUTE);
        schedule.recordWaiting(orderId, now);
      }
    expect(at).toEqual([0, 0.5, 1.5, 3.5, 7.5, 15.5, 25.5, 35.5]);
  });

  it('are examined in the next run after they lacked something, or after nothing was learned', () => {
    const schedule = new SweepSchedule(RETRY_MS);
    const orders = ordersOf('eth-base', 1);
    for (let time = 0; time < 5; time += 1) schedule.recordWaiting('eth-base 0', START);
    expect(pick(schedule, orders).picked).toEqual([]);
    for (const found of ['recordMissing', 'recordFailure'] as const) {
      schedule[found]('eth-base 0', START);
      expect(pick(schedule, orders, START + 1).picked).toEqual(['eth-base 0']);
    }
  });

  it('do not include one that cannot lack anything yet', () => {
    const schedule = new SweepSchedule(RETRY_MS);
    const orders = ordersOf('eth-base', 1);
    schedule.postpone('eth-base 0', START + 1);
    expect(pick(schedule, orders).picked).toEqual([]);
    expect(pick(schedule, orders, START + 1).picked).toEqual(['eth-base 0']);
  });
});

describe('the orders that a sweep leaves to a later run', () => {
  it('are counted while they lack their next step and are processing', () => {
    const schedule = new SweepSchedule(RETRY_MS);
    const orders = ordersOf('eth-base', MAX_ORDERS_PER_RUN + 2);
    for (const orderId of idsOf(orders)) schedule.recordMissing(orderId, START);
    const first = pick(schedule, orders);
    expect(first.left).toBe(2);
    expect(pick(schedule, orders.slice(0, MAX_ORDERS_PER_RUN + 1)).left).toBe(1);
    for (const orderId of first.picked) schedule.recordWaiting(orderId, START);
    expect(pick(schedule, orders.slice(0, MAX_ORDERS_PER_RUN))).toMatchObject({ left: 0 });
  });
});
