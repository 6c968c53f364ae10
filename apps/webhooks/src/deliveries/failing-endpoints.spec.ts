import type { DomainEvent, Recorded } from '@ponte/event-sourcing';
import { DeliveryAttemptFailed, DeliverySucceeded } from '@ponte/contracts';
import { addSeconds } from '@ponte/kernel';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import type { Kysely } from 'kysely';
import { DeliveriesProjection } from './deliveries-projection';
import { createDeliveryTables } from './delivery-tables.adapter';
import { FailingEndpoints } from '../failing-endpoints/failing-endpoints.read-model';

const BEGAN = '2026-03-02T12:00:00.000Z';
const hour = (hours: number): string => addSeconds(BEGAN, hours * 3_600);
const COMMON = { endpointId: 'e', accountId: 'a' };

describe('an endpoint that fails', () => {
  let db: Kysely<unknown>;
  let disabled: string[];
  let reported: string[];
  let summarize: () => Promise<void>;
  let disable: (endpointId: string) => Promise<void>;
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
    [disabled, reported] = [[], []];
    summarize = async () => undefined;
    disable = async () => undefined;
    projection = new DeliveriesProjection(
      { load: async () => ({ delivery: { status: 'unscheduled' } }), hasEnded: async () => true } as never,
      { put: async () => undefined, release: async () => undefined, openOf: async () => ({}) } as never,
      new FailingEndpoints(db),
      async ({ data }, reason) => {
        await disable(data.endpointId);
        disabled.push(`${reason} at ${data.failedAt}`);
      },
      () => summarize(),
      ({ data }, error, what) => void reported.push(`${data.endpointId}: ${what}: ${(error as Error).message}`),
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
    for (const hours of [24, 48, 72, 96, 119]) await fails(85 + 30 * 24 + hours, 1, 'a month later');
    expect(disabled).toEqual([]);
    await fails(85 + 30 * 24 + 120, 10, 'a month later');
    expect(disabled).toHaveLength(1);
  });

  it('is not disabled by the failure of one replayed delivery after such a time', async () => {
    for (const [at, hours] of [0, 1, 13, 37, 61, 85].entries()) await fails(hours, at + 1);
    for (const [at, hours] of [0, 24, 48, 72, 96].entries()) await fails(85 + 48 + hours, 7 + at);
    expect(disabled).toEqual([]);
    await fails(85 + 48 + 120, 12);
    expect(disabled).toEqual([`no-success at ${hour(85 + 48 + 120)}`]);
  });

  const gone = (endpointId: string) =>
    new DeliveryAttemptFailed({
      ...{ ...COMMON, endpointId, deliveryId: 'd', attempt: 1, failedAt: hour(0) },
      ...{ httpStatus: 410, reason: 'gone', nextAt: null },
    });

  it('is disabled at once by a 410, even if its summary cannot be recorded, which is tried again later', async () => {
    let tried = 0;
    summarize = async () => {
      tried += 1;
      throw new Error('the database is not available');
    };
    for (let time = 0; time < 3; time += 1) await happens(gone('e'));
    expect(disabled).toEqual(Array.from({ length: 3 }, () => `gone at ${hour(0)}`));
    expect([tried, reported]).toEqual([
      1,
      [
        'e: the summary of a failing endpoint could not be recorded; it will be tried again: the database is not available',
      ],
    ]);
    expect(await since()).toEqual({ since: hour(0), last: hour(0) });
  });

  it('is recorded as failing even if it, or another one of the same batch, cannot be disabled', async () => {
    disable = async (endpointId) => {
      if (endpointId === 'broken') throw new Error('the account cannot be read');
    };
    const failed = new DeliveryAttemptFailed({
      ...{ ...COMMON, deliveryId: 'd', attempt: 1, failedAt: hour(0) },
      ...{ httpStatus: 503, reason: 'http-status', nextAt: null },
    });
    await expect(happens(gone('broken'), failed, gone('other'))).rejects.toThrow('the account cannot be read');
    expect([...(await new FailingEndpoints(db).of(['broken', 'e', 'other'])).keys()].sort()).toEqual([
      'broken',
      'e',
      'other',
    ]);
    expect(disabled).toEqual([`gone at ${hour(0)}`]);
    expect(reported).toEqual([
      'broken: an endpoint could not be disabled; its next failed attempt tries it again: the account cannot be read',
    ]);
  });
});
