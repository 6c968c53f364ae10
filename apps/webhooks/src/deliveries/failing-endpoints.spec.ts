import type { DomainEvent, Recorded } from '@ponte/event-sourcing';
import { DeliveryAttemptFailed, DeliverySucceeded } from '@ponte/contracts';
import { addSeconds } from '@ponte/kernel';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import type { Kysely } from 'kysely';
import { DeliveriesProjection } from './deliveries-projection';
import { createDeliveryTables } from './delivery-tables.adapter';
import { FailingEndpoints } from './failing-endpoints.read-model';

const BEGAN = '2026-03-02T12:00:00.000Z';
const hour = (hours: number): string => addSeconds(BEGAN, hours * 3_600);
const COMMON = { endpointId: 'e', accountId: 'a' };

describe('an endpoint that fails', () => {
  let db: Kysely<unknown>;
  let disabled: string[];
  let projection: DeliveriesProjection;

  const happens = (...facts: DomainEvent[]): Promise<void> =>
    projection.apply({ events: facts.map((fact) => ({ stream: 'delivery-d', ...fact }) as unknown as Recorded) });
  const fails = (hours: number, attempt: number, deliveryId = 'd'): Promise<void> =>
    happens(
      new DeliveryAttemptFailed({
        ...{ ...COMMON, deliveryId, attempt, failedAt: hour(hours) },
        ...{ httpStatus: 503, reason: 'http-status', nextAt: null },
      }),
    );
  const since = async (): Promise<unknown> => (await new FailingEndpoints(db).of(['e'])).get('e');

  beforeEach(async () => {
    db = await openSqliteReadModels(':memory:');
    await createDeliveryTables(db);
    disabled = [];
    projection = new DeliveriesProjection(
      { load: async () => ({ delivery: { status: 'unscheduled' } }), hasEnded: async () => true } as never,
      { put: async () => undefined, release: async () => undefined, openOf: async () => ({}) } as never,
      new FailingEndpoints(db),
      async ({ data }, reason) => void disabled.push(`${reason} at ${data.failedAt}`),
      async () => undefined,
    );
  });
  afterEach(() => db.destroy());

  it('is disabled when 120 hours pass without a success, whichever deliveries fail', async () => {
    for (const [at, hours] of [0, 1, 13, 37, 61, 85, 109].entries()) await fails(hours, at + 1);
    await fails(112, 1, 'the next one');
    expect(disabled).toEqual([]);
    await fails(121, 2, 'the next one');
    expect(disabled).toEqual([`no-success at ${hour(121)}`]);
  });

  it('is no longer failing after a success', async () => {
    await fails(0, 1);
    await happens(
      new DeliverySucceeded({ ...COMMON, deliveryId: 'd', attempt: 2, succeededAt: hour(1), httpStatus: 200 }),
    );
    expect(await since()).toBeUndefined();
    await fails(121, 1);
    expect(disabled).toEqual([]);
  });

  it('is not disabled by one failure after a time in which there was nothing to send', async () => {
    for (const [at, hours] of [0, 1, 13, 37, 61, 85].entries()) await fails(hours, at + 1);
    await fails(85 + 30 * 24, 1, 'a month later');
    await fails(85 + 30 * 24 + 119, 9, 'a month later');
    expect(disabled).toEqual([]);
    await fails(85 + 30 * 24 + 120, 10, 'a month later');
    expect(disabled).toHaveLength(1);
  });
});
