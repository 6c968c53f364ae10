import type { CommandBus } from '@nestjs/cqrs';
import { ListOpenHolds, ListOverdueCharges } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { systemContext } from '@ponte/event-sourcing';
import type { Metrics } from '@ponte/observability';
import { pino } from 'pino';
import type { Orders } from '../order/orders.repository';
import type { OrdersSettings } from '../order/orders-settings.port';
import { SweepFundsCommand, SweepFundsHandler } from './sweep-funds.command';

const NOW = Date.UTC(2026, 4, 13, 14);
const PLACED_AT = new Date(NOW - 3_600_000).toISOString();
const HOLD = { holdId: 'h1', accountId: 'a', owner: { kind: 'order', id: 'o1' }, placedAt: PLACED_AT };

/** A sweep that cannot release the holds that it finds. `holds` and `charges` answer for the ledger. */
function sweepOf(holds: () => Promise<readonly (typeof HOLD)[]>, charges: () => Promise<void> = async () => undefined) {
  let systemNow = 0;
  let measured: (() => Promise<readonly { readonly value: number }[]>) | undefined;
  const replies = new Map<object, () => Promise<object>>([
    [ListOpenHolds, async () => ({ holds: await holds() })],
    [ListOverdueCharges, async () => (await charges(), { charges: [] })],
  ]);
  const handler = new SweepFundsHandler(
    { load: async () => ({ status: 'absent' }) } as unknown as Orders,
    { request: (definition: object) => replies.get(definition)?.() } as unknown as MessageBus,
    { now: () => NOW },
    { now: () => systemNow },
    { forgottenSeconds: 60 } as OrdersSettings,
    pino({ enabled: false }),
    { measure: (_name: string, read: typeof measured) => (measured = read) } as unknown as Metrics,
    { execute: () => Promise.reject(new Error('the hold cannot be released')) } as unknown as CommandBus,
  );
  const context = systemContext({ next: () => '00000000-0000-4000-8000-000000000001' }, 'test');
  return {
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
    const { run, shown, wait } = sweepOf(async () => (await pages.shift()?.()) ?? []);
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
    const rest = stalled<readonly (typeof HOLD)[]>([]);
    const full = Array.from({ length: 1_000 }, () => HOLD);
    const pages = [async () => full, rest.reached];
    const { run, shown } = sweepOf(async () => (await pages.shift()?.()) ?? []);
    const running = run();
    await rest.begun;
    expect(await shown()).toBe(1_000);
    rest.end();
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
