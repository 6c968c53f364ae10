import type { CommandBus } from '@nestjs/cqrs';
import { GetSettlement } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { systemContext } from '@ponte/event-sourcing';
import type { Metrics } from '@ponte/observability';
import { pino } from 'pino';
import type { Orders } from '../order/orders.repository';
import type { OrderReadModel } from '../order/orders.read-model';
import type { OrdersSettings } from '../order/orders-settings.port';
import {
  RequestMissingSettlementsCommand,
  RequestMissingSettlementsHandler,
} from './request-missing-settlements.command';

const NOW = Date.UTC(2026, 4, 13, 14);
const OLD = new Date(NOW - 3_600_000).toISOString();

/** A sweep that finds one order. `find` reads the list of orders. */
function sweepOf(find: () => Promise<readonly { orderId: string; since: string }[]>) {
  let systemNow = 0;
  let measured: (() => Promise<readonly { readonly value: number }[]>) | undefined;
  const order = { status: 'processing', since: OLD, settled: false, screened: OLD, terms: { accountId: 'a' } };
  const handler = new RequestMissingSettlementsHandler(
    { load: async () => order } as unknown as Orders,
    { execute: async () => undefined } as unknown as CommandBus,
    {
      request: async (definition: object) => (definition === GetSettlement ? null : { status: 'active' }),
    } as unknown as MessageBus,
    { processing: find } as unknown as OrderReadModel,
    { now: () => NOW },
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
  };
}

const found = [{ orderId: 'o1', since: OLD }];

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
