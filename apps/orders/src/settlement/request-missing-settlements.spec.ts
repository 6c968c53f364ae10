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

it('a sweep is reported for a minute, because another process may be sweeping by then', async () => {
  let systemNow = 0;
  let measured: (() => Promise<readonly { readonly value: number }[]>) | undefined;
  const order = { status: 'processing', since: OLD, settled: false, screened: OLD, terms: { accountId: 'a' } };
  const handler = new RequestMissingSettlementsHandler(
    { load: async () => order } as unknown as Orders,
    { execute: async () => undefined } as unknown as CommandBus,
    {
      request: async (definition: object) => (definition === GetSettlement ? null : { status: 'active' }),
    } as unknown as MessageBus,
    { processing: async () => [{ orderId: 'o1', since: OLD }] } as unknown as OrderReadModel,
    { now: () => NOW },
    { now: () => systemNow },
    { settlementRetrySeconds: 60 } as OrdersSettings,
    pino({ enabled: false }),
    { measure: (_name: string, read: typeof measured) => (measured = read) } as unknown as Metrics,
  );
  const shown = async () => (await measured?.())?.[0]?.value;
  expect(await shown()).toBe(0);
  const context = systemContext({ next: () => '00000000-0000-4000-8000-000000000001' }, 'test');
  await handler.execute(new RequestMissingSettlementsCommand(context));
  systemNow += 59_999;
  expect(await shown()).toBe(1);
  systemNow += 1;
  expect(await shown()).toBe(0);
});
