import type { CommandBus } from '@nestjs/cqrs';
import { GetSettlement } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { systemContext } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { pino } from 'pino';
import type { Orders } from '../order/orders.repository';
import type { OldOrder, OrderReadModel } from '../order/orders.read-model';
import { settlementIdOf } from '../order/order-ids.domain';
import type { OrdersSettings } from '../order/orders-settings.port';
import {
  RequestMissingSettlementsCommand,
  RequestMissingSettlementsHandler,
} from './request-missing-settlements.command';
import { MAX_ORDERS_PER_RUN } from './sweep-schedule';

const NOW = Date.UTC(2026, 4, 13, 14);
const OLD = new Date(NOW - 3_600_000).toISOString();

type Found = readonly Pick<OldOrder, 'orderId' | 'createdAt' | 'chain'>[];

/** A sweep that finds one order. `find` reads the list of orders; `settlementOf`, that of settlements. */
function sweepOf(
  find: (before: string, after: { orderId: string } | null, limit: number) => Promise<Found>,
  settlementOf: (settlementId: string) => unknown = () => null,
) {
  let systemNow = 0;
  let now = NOW;
  let measured: (() => Promise<readonly { readonly value: number }[]>) | undefined;
  const order = { status: 'processing', since: OLD, settled: false, screened: OLD, terms: { accountId: 'a' } };
  const handler = new RequestMissingSettlementsHandler(
    { load: async () => order } as unknown as Orders,
    { execute: async () => undefined } as unknown as CommandBus,
    {
      request: async (definition: object, { settlementId }: { settlementId: string }) =>
        definition === GetSettlement ? settlementOf(settlementId) : { status: 'active' },
    } as unknown as MessageBus,
    { processing: find } as unknown as OrderReadModel,
    { now: () => now },
    { now: () => systemNow },
    { settlementRetrySeconds: 60 } as OrdersSettings,
    pino({ enabled: false }),
    { measure: (_name: string, read: typeof measured) => (measured = read) } as unknown as Metrics,
  );
  const context = systemContext({ next: () => '00000000-0000-4000-8000-000000000001' }, 'test');
  return {
    run: () => handler.execute(new RequestMissingSettlementsCommand(context)),
    shown: async () => (await measured?.())?.[0]?.value,
    wait: (ms: number) => (systemNow += ms),
    later: (ms: number) => (now += ms),
  };
}

const found: Found = [{ orderId: 'o1', createdAt: OLD, chain: 'eth-base' }];

describe('what a sweep found', () => {
  it('is reported for a minute, because another process may be sweeping by then', async () => {
    const { run, shown, wait } = sweepOf(async () => found);
    expect(await shown()).toBe(0);
    await run();
    wait(59_999);
    expect(await shown()).toBe(1);
    wait(1);
    expect(await shown()).toBe(0);
  });

  it('is reported while the next sweep runs, however long it takes', async () => {
    let endSecond: (orders: typeof found) => void = () => undefined;
    const pages = [Promise.resolve(found), new Promise<typeof found>((resolve) => (endSecond = resolve))];
    const { run, shown, wait } = sweepOf(async () => pages.shift() ?? []);
    await run();
    wait(30_000);
    const second = run();
    wait(600_000);
    expect(await shown()).toBe(1);
    endSecond([]);
    await second;
    expect(await shown()).toBe(0);
  });

  it('is not reported for a sweep long ago', async () => {
    const pages = [Promise.resolve(found), new Promise<typeof found>(() => undefined)];
    const { run, shown, wait } = sweepOf(async () => pages.shift() ?? []);
    await run();
    wait(3_600_000);
    void run();
    expect(await shown()).toBe(0);
  });

  it('is not reported for longer after a sweep that failed', async () => {
    const pages = [Promise.resolve(found), Promise.reject(new Error('the read model does not answer'))];
    const { run, shown, wait } = sweepOf(async () => pages.shift() ?? []);
    await run();
    wait(60_000);
    await expect(run()).rejects.toThrow('does not answer');
    expect(await shown()).toBe(0);
  });
});

describe('a sweep while a chain is out and all of its orders wait', () => {
  const ordersOf = (chain: Chain, count: number): Found =>
    Array.from({ length: count }, (_, at) => ({ orderId: `${chain} ${at}`, createdAt: OLD, chain }));
  const orders = [...ordersOf('eth-base', 1_200), ...ordersOf('tempo', 1)];

  it('asks movements for a limited number of them, and requests what an order of another chain lacks', async () => {
    const asked: string[] = [];
    const lost = settlementIdOf('tempo 0');
    const page = async (_before: string, after: { orderId: string } | null, limit: number): Promise<Found> => {
      const first = orders.findIndex(({ orderId }) => orderId === after?.orderId) + 1;
      return orders.slice(first, first + limit);
    };
    const { run, shown, later } = sweepOf(page, (id) => {
      asked.push(id);
      return id === lost ? null : {};
    });
    await run();
    expect([asked.length, asked.includes(lost)]).toEqual([MAX_ORDERS_PER_RUN + 1, true]);
    expect(await shown()).toBe(1);
    for (let time = 0; time < 2; time += 1) {
      later(30_000);
      await run();
    }
    expect(new Set(asked)).toEqual(new Set(orders.map(({ orderId }) => settlementIdOf(orderId))));
    expect(asked.length).toBeLessThanOrEqual(3 * (MAX_ORDERS_PER_RUN + 1));
  });
});
