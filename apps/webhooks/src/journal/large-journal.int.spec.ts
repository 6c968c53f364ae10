import type { Kysely } from 'kysely';
import { openPostgresReadModels, Postgres } from '@ponte/postgres';
import { isoTime } from '@ponte/kernel';
import type { PostgresServer } from '@ponte/testing';
import { describeOnRealEngine, freshId, startPostgres } from '@ponte/testing';
import { AttemptNotes } from '../deliveries/attempt-notes.read-model';
import { DeliveryReadModel } from '../deliveries/deliveries.read-model';
import { createDeliveryTables } from '../deliveries/delivery-tables.adapter';
import { OldDeliveries } from './old-deliveries.service';
import { JournalUnderTest } from '../testing/journal-under-test';
import type { ReadNode } from '../testing/recorded-statements';
import { RecordedStatements } from '../testing/recorded-statements';
import type { WebhooksSchema } from '../testing/webhooks-schema';

const STARTUP_MS = 240_000;
const NOW = Date.parse('2026-11-30T00:00:00.000Z');
const DAY = 86_400_000;
/** Deliveries of 91 days. Every twentieth failed and has 21 events in the journal, as many as the others together. */
const DELIVERIES = 200_000;
const DAYS = 91;
/** More than the planner may expect of one page or one batch, and less than any of the tables has. */
const MAX_ROWS = 10_000;

/** The time of delivery `i` in SQL. */
const AT = `to_char(timestamp '2026-11-30' - (${DELIVERIES} - i) * interval '${DAYS} days' / ${DELIVERIES},
  'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const ID = `md5('d' || i)::uuid::text`;
const FILL = [
  `INSERT INTO webhook_deliveries (id, revision, created_at, account_id, endpoint_id, event_id, event_type, state,
    attempts, updated_at)
  SELECT ${ID}, CASE WHEN i % 20 = 0 THEN 20 ELSE 0 END, ${AT}, 'a', 'e', ${ID}, 'order-completed',
    CASE WHEN i % 20 = 0 THEN 'failed' ELSE 'succeeded' END, 1, ${AT} FROM generate_series(1, ${DELIVERIES}) i`,
  `INSERT INTO webhook_delivery_journal (delivery_id, revision, id, type, version, data, meta, at)
  SELECT ${ID}, r, ${ID} || r, 'DeliveryAttemptFailed', 1, repeat('x', 300), repeat('m', 350), ${AT}
    FROM generate_series(20, ${DELIVERIES}, 20) i, generate_series(0, 20) r`,
  `INSERT INTO webhook_attempts (delivery_id, attempt, latency_ms, response, at)
  SELECT ${ID}, 1, 7, repeat('r', 100), ${AT} FROM generate_series(1, ${DELIVERIES}) i`,
  'ANALYZE webhook_deliveries',
  'ANALYZE webhook_delivery_journal',
  'ANALYZE webhook_attempts',
];

describeOnRealEngine('PostgreSQL: 90 days of webhook deliveries', () => {
  let server: PostgresServer;
  let postgres: Postgres;
  let statements: RecordedStatements;
  let db: Kysely<WebhooksSchema>;
  beforeAll(async () => {
    server = await startPostgres();
    postgres = await Postgres.open({
      url: server.url,
      schema: `s${freshId().replaceAll('-', '').slice(0, 20)}`,
      logger: { warn: () => undefined, error: () => undefined },
      // Only the generation of the rows takes long.
      limits: { statementMs: 120_000 },
    });
    statements = new RecordedStatements(postgres, await openPostgresReadModels<unknown>(postgres));
    db = statements.db as Kysely<WebhooksSchema>;
    await createDeliveryTables(statements.db);
    for (const statement of FILL) await postgres.query(statement);
  }, STARTUP_MS);
  afterAll(async () => {
    await db.destroy();
    await postgres.close();
    await server.stop();
  });
  beforeEach(() => statements.plans());

  const idOf = async (i: number): Promise<string> =>
    (await postgres.query<{ id: string }>(`SELECT md5('d${i}')::uuid::text AS id`))[0]?.id ?? '';
  const countOf = async (table: keyof WebhooksSchema): Promise<number> =>
    Number(
      (
        await db
          .selectFrom(table)
          .select(({ fn }) => fn.countAll().as('count'))
          .executeTakeFirst()
      )?.count,
    );
  const isUnbounded = (node: ReadNode): boolean =>
    node['Node Type'] === 'Seq Scan' ||
    node['Parent Relationship'] === 'SubPlan' ||
    (!node.isLimited && node['Plan Rows'] > MAX_ROWS);
  const unbounded = async (): Promise<object[]> =>
    [...(await statements.plans())].flatMap(([text, plan]) => plan.filter(isUnbounded).map((node) => ({ text, node })));

  it('are checked for rows that are behind with statements that read one page each', async () => {
    const [recent, behind] = [await idOf(DELIVERIES), await idOf(DELIVERIES / 2)];
    await db.deleteFrom('webhook_deliveries').where('id', '=', recent).execute();
    await db.updateTable('webhook_deliveries').set({ revision: 19 }).where('id', '=', behind).execute();
    await statements.plans();
    const journal = new JournalUnderTest(statements.db, () => NOW);
    await journal.job.run();
    expect(journal.shown).toContain(recent);
    for (let run = 1; !journal.shown.includes(behind) && run < 12; run += 1) await journal.job.run();
    expect(journal.shown.sort()).toEqual([recent, behind].sort());
    expect(await unbounded()).toEqual([]);
  });

  it('are counted for a summary by reading only open ones and those since the endpoint has been failing', async () => {
    const since = isoTime(NOW - DAY);
    const rows = new DeliveryReadModel(statements.db);
    const [found] = await postgres.query<{ failed: number }>(
      `SELECT count(*)::int AS failed FROM webhook_deliveries WHERE state = 'failed' AND created_at >= $1`,
      [since],
    );
    expect(found?.failed).toBeGreaterThan(0);
    expect(await rows.openOf('e', since)).toEqual({ pending: 0, failed: found?.failed, attempts: found?.failed });
    expect(await unbounded()).toEqual([]);
  });

  it('are listed by state with an index, although hardly any has it', async () => {
    const filters = { state: 'pending' as const, eventType: null, resourceType: null, resourceId: null };
    const page = { limit: 200, cursor: null, createdFrom: null, createdTo: null };
    expect(await new DeliveryReadModel(statements.db).page('e', filters, page)).toMatchObject({ ids: [], next: null });
    const indexes = [...(await statements.plans()).values()].flatMap((plan) =>
      plan.flatMap((node) => node['Index Name'] ?? []),
    );
    expect(indexes).toEqual(['webhook_deliveries_by_endpoint_id_state']);
  });

  it('are deleted with statements that read one batch each', async () => {
    const oldest = isoTime(NOW - 90 * DAY);
    const before = await countOf('webhook_delivery_journal');
    await statements.plans();
    await new OldDeliveries(statements.db).deleteBefore(oldest);
    await new AttemptNotes(statements.db, { seal: async (_, text) => `sealed:v1:${text}` }).deleteBefore(oldest);
    expect(await unbounded()).toEqual([]);
    const perDay = DELIVERIES / DAYS;
    for (const table of ['webhook_deliveries', 'webhook_attempts'] as const)
      expect(DELIVERIES - (await countOf(table))).toBe(Math.ceil(perDay) - 1);
    expect(before - (await countOf('webhook_delivery_journal'))).toBe(21 * Math.floor(perDay / 20));
    const left = (table: string, time: string) =>
      postgres.query<{ left: number }>(`SELECT count(*)::int AS left FROM ${table} WHERE ${time} < $1`, [oldest]);
    expect(await left('webhook_deliveries', 'updated_at')).toEqual([{ left: 0 }]);
    expect(await left('webhook_delivery_journal', 'at')).toEqual([{ left: 0 }]);
  });
});
