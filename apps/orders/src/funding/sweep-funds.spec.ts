import type { CommandBus } from '@nestjs/cqrs';
import { ListOpenHolds, ListOverdueCharges } from '@ponte/contracts';
import type { MessageBus, PayloadOf } from '@ponte/event-sourcing';
import { systemContext } from '@ponte/event-sourcing';
import type { Metrics } from '@ponte/observability';
import { pino } from 'pino';
import type { Orders } from '../order/orders.repository';
import type { OrdersSettings } from '../order/orders-settings.port';
import { SweepFundsCommand, SweepFundsHandler } from './sweep-funds.command';

const NOW = Date.UTC(2026, 4, 13, 14);
const PLACED_AT = new Date(NOW - 3_600_000).toISOString();
const HOLD = { holdId: 'h1', accountId: 'a', owner: { kind: 'order', id: 'o1' }, placedAt: PLACED_AT };

type Holds = readonly (typeof HOLD)[];
const released = async (): Promise<unknown> => ({ owned: false });
const refused = (): Promise<never> => Promise.reject(new Error('the hold cannot be released'));

/** A sweep that by default cannot release the holds that it finds. `holds` and `charges` answer for the ledger. */
function sweepOf(
  holds: (query: PayloadOf<typeof ListOpenHolds>) => Promise<Holds>,
  charges: () => Promise<void> = async () => undefined,
  release: () => Promise<unknown> = refused,
) {
  let systemNow = 0;
  let measured: (() => Promise<readonly { readonly value: number }[]>) | undefined;
  const loaded: string[] = [];
  const replies = new Map<object, (query: never) => Promise<object>>([
    [ListOpenHolds, async (query) => ({ holds: await holds(query) })],
    [ListOverdueCharges, async () => (await charges(), { charges: [] })],
  ]);
  const handler = new SweepFundsHandler(
    { load: async (id: string) => (loaded.push(id), { status: 'absent' }) } as unknown as Orders,
    { request: (definition: object, query: never) => replies.get(definition)?.(query) } as unknown as MessageBus,
    { now: () => NOW },
    { now: () => systemNow },
    { forgottenSeconds: 60 } as OrdersSettings,
    pino({ enabled: false }),
    { measure: (_name: string, read: typeof measured) => (measured = read) } as unknown as Metrics,
    { execute: release } as unknown as CommandBus,
  );
  const context = systemContext({ next: () => '00000000-0000-4000-8000-000000000001' }, 'test');
  return {
    loaded,
    run: () => handler.execute(new SweepFundsCommand(context)),
    shown: async () => (await measured?.())?.[0]?.value,
    wait: (ms: number) => (systemNow += ms),
  };
}

/** A promise that the test ends, and one that tells when the sweep waits for it. */
function stalled<T>(value: T) {
  let end: () => void = () => undefined;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const ended = new Promise<T>((resolve) => (end = () => resolve(value)));
  return { begun, end: () => end(), reached: () => (begin(), ended) };
}

describe('a hold without an order', () => {
  it('stays reported while the next sweep runs, however long it takes', async () => {
    const second = stalled<readonly (typeof HOLD)[]>([]);
    const pages = [async () => [HOLD], second.reached];
    const { run, shown, wait } = sweepOf(async () => (await pages.shift()?.()) ?? [], undefined, released);
    await run();
    wait(30_000);
    const running = run();
    await second.begun;
    wait(600_000);
    expect(await shown()).toBe(1);
    second.end();
    await running;
    expect(await shown()).toBe(0);
  });

  it('stays reported while the same run closes charges, and for a minute after that', async () => {
    const closing = stalled(undefined);
    const { run, shown, wait } = sweepOf(async () => [HOLD], closing.reached);
    const running = run();
    await closing.begun;
    wait(600_000);
    expect(await shown()).toBe(1);
    closing.end();
    await running;
    wait(59_999);
    expect(await shown()).toBe(1);
    wait(1);
    expect(await shown()).toBe(0);
  });

  it('is reported as soon as a sweep has found it', async () => {
    const releasing = stalled({ owned: false });
    const { run, shown } = sweepOf(async () => [HOLD], undefined, releasing.reached);
    const running = run();
    await releasing.begun;
    expect(await shown()).toBe(1);
    releasing.end();
    await running;
  });

  it('stays reported if the charges cannot be listed', async () => {
    const { run, shown } = sweepOf(
      async () => [HOLD],
      () => Promise.reject(new Error('the ledger does not answer')),
    );
    await expect(run()).rejects.toThrow('does not answer');
    expect(await shown()).toBe(1);
  });
});

describe('a sweep of many old holds', () => {
  const all = Array.from({ length: 2_500 }, (_, at) => ({
    ...HOLD,
    holdId: `h${at}`,
    owner: { kind: 'order', id: `o${at}` },
  }));
  const ledger = async ({ limit, after }: PayloadOf<typeof ListOpenHolds>): Promise<Holds> => {
    const from = after ? all.findIndex(({ holdId }) => holdId === after.holdId) + 1 : 0;
    return all.slice(from, from + limit);
  };
  it('looks at one page in each run, and begins again after the last one', async () => {
    const { run, loaded } = sweepOf(ledger, undefined, released);
    const ranges: unknown[] = [];
    for (let runs = 0; runs < 4; runs += 1) {
      loaded.length = 0;
      await run();
      ranges.push([loaded.length, loaded.at(0), loaded.at(-1)]);
    }
    expect(ranges).toEqual([
      [1_000, 'o0', 'o999'],
      [1_000, 'o1000', 'o1999'],
      [500, 'o2000', 'o2499'],
      [1_000, 'o0', 'o999'],
    ]);
  });

  it('looks in the next run too at those that could not be released', async () => {
    const failing = [refused];
    const { run, loaded, shown } = sweepOf(ledger, undefined, () => (failing.pop() ?? released)());
    await run();
    loaded.length = 0;
    await run();
    expect([loaded.length, loaded.at(0), loaded.at(-1)]).toEqual([1_001, 'o0', 'o1999']);
    expect(await shown()).toBe(1_001);
  });
});
