import type { OrderRow } from '@ponte/testing';
import {
  anEvent,
  describeOnRealEngine,
  eventually,
  MemoryEventStore,
  ORDER_TABLE,
  orderRow,
  startChild,
} from '@ponte/testing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { sql } from 'kysely';
import { runProjector, createReadModelCheckpoints, createReadModelTable } from '@ponte/read-models';
import { openPostgresEdgeState } from './state/edge-state';
import { LEASE_TIMES } from './state/leases';
import { openPostgresState } from './state/state';
import { openPostgresReadModels } from './read-models/read-models';
import {
  cleanUp,
  connect,
  kept,
  logger,
  NOW,
  postgresUnderTest,
  schemaOf,
  server,
} from './postgres-under-test.testing';

/** Holds a lease, reports it, and prints the outcome of its writes when the test lets it continue. */
const HOLDER = `
  import { openPostgresState, Postgres } from './index';
  const [url, schema, job] = process.argv.slice(2);
  const logger = { warn: () => undefined, error: () => undefined };
  void (async () => {
    const postgres = await Postgres.open({ url, schema, logger });
    const state = await openPostgresState(postgres);
    const grant = await state.lease.acquire(job, new AbortController().signal);
    console.log(grant.fence);
    await new Promise((resolve) => grant.lost.addEventListener('abort', resolve));
    console.log(await state.checkpoints.save(job, 'late', grant.fence));
    await state.close();
    await postgres.close();
  })();
`;
describeOnRealEngine('PostgreSQL, when things break', () => {
  postgresUnderTest('PostgreSQL faults');
  afterEach(cleanUp);

  test('a killed or stopped holder is replaced within about 10 s, and the writes of a stopped one are refused when it continues', async () => {
    const schema = schemaOf();
    const state = kept(await openPostgresState(await connect(schema)));
    const holders = await Promise.all(
      ['killed', 'stopped'].map(async (job) => {
        const child = startChild(HOLDER, __dirname, [server.url, schema, job]);
        const lines = child.lines[Symbol.asyncIterator]();
        return { job, child, fence: Number((await lines.next()).value), lines };
      }),
    );
    const [killed, stopped] = holders as [(typeof holders)[0], (typeof holders)[0]];
    killed.child.kill('SIGKILL');
    stopped.child.kill('SIGSTOP');
    for (const { job, fence } of holders) {
      const grant = await state.lease.acquire(job, AbortSignal.timeout(3 * LEASE_TIMES.ttlMs));
      expect(grant?.fence).toBeGreaterThan(fence);
      expect(await state.checkpoints.save(job, 'next', grant?.fence)).toBe(true);
    }
    stopped.child.kill('SIGCONT');
    expect((await stopped.lines.next()).value).toBe('false');
    expect(await state.checkpoints.load('stopped')).toBe('next');
    await Promise.all(holders.map(({ child }) => child.ended));
  });

  test('a process that restarts under its name gets its own leases at once, with higher fences, and no others', async () => {
    const schema = schemaOf();
    const lasting = { ttlMs: 600_000, renewMs: 300_000, askMs: 50, marginMs: 1_000 };
    const open = async (instance: string) => kept(await openPostgresState(await connect(schema), lasting, instance));
    const [doomed, other] = [await open('orders-1'), await open('orders-10')];
    const lease = await doomed.lease.acquire('job', new AbortController().signal);
    const others = await other.lease.acquire('other job', new AbortController().signal);
    const back = await open('orders-1');
    const grant = await back.lease.acquire('job', AbortSignal.timeout(30_000));
    expect(grant?.fence).toBeGreaterThan(lease?.fence ?? Infinity);
    expect(await back.checkpoints.save('job', 'next', grant?.fence)).toBe(true);
    expect(await doomed.checkpoints.save('job', 'late', lease?.fence)).toBe(false);
    expect(await back.lease.acquire('other job', AbortSignal.timeout(300))).toBeUndefined();
    expect(others?.lost.aborted).toBe(false);
  });

  test('after the server was killed and restarted under load, all work resumes by itself; nothing is skipped or granted twice', async () => {
    const schema = schemaOf();
    const postgres = await connect(schema, { patienceMs: 20_000 });
    const state = kept(await openPostgresState(postgres));
    const edge = await openPostgresEdgeState(postgres);
    const readModels = await openPostgresReadModels<unknown>(postgres);
    const table = createReadModelTable<OrderRow>({ db: readModels, ...ORDER_TABLE });
    const checkpoints = createReadModelCheckpoints(readModels);
    await Promise.all([table.prepare(), checkpoints.prepare()]);
    const store = kept(new MemoryEventStore());
    const projector = runProjector({
      store,
      checkpoints,
      lease: state.lease,
      logger,
      name: 'read model',
      retryMs: [50],
      batchSize: 20,
      apply: async ({ events }) => {
        for (const { stream, revision } of events) await table.put(orderRow({ id: stream, revision }));
      },
    });
    const grants = new Map<string, number>();
    const claim = async (scope: string): Promise<void> => {
      const start = await edge.begin({ scope, bodyHash: 'body', nowMs: NOW, lockMs: 30_000 });
      if (start.kind === 'started') grants.set(scope, (grants.get(scope) ?? 0) + 1);
      if (start.kind === 'started')
        await edge.finish(scope, start.fence, { status: 200, body: scope }, NOW + 1_000_000);
    };
    let streams = 0;
    let working = true;
    const work = Array.from({ length: 8 }, async (_, worker) => {
      for (let at = 0; working; at += 1) {
        await store.append(`order-${(streams += 1)}`, NO_STREAM, anEvent());
        // Two claims for each key, like a client that repeats a request: one of them succeeds.
        await Promise.all([claim(`${worker}-${at}`), claim(`${worker}-${at}`)]);
      }
    });
    for (let round = 0; round < 3; round += 1) {
      const before = streams;
      await eventually(() => expect(streams).toBeGreaterThan(before + 50), 20_000);
      await server.kill();
      await server.restart();
    }
    working = false;
    await Promise.all(work);
    await eventually(async () => expect(await checkpoints.load('read model')).toBe(await store.head()), 20_000);
    await projector.stop();
    for (let at = 1; at <= streams; at += 1) expect(await table.get(`order-${at}`)).toBeDefined();
    expect([...grants.values()].filter((count) => count !== 1)).toEqual([]);
    for (const scope of grants.keys()) {
      expect(await edge.begin({ scope, bodyHash: 'body', nowMs: NOW + 1, lockMs: 30_000 })).toEqual({
        kind: 'done',
        status: 200,
        body: scope,
      });
    }
  }, 120_000);

  test('a holder keeps its lease during a server restart that is shorter than the lease', async () => {
    const schema = schemaOf();
    // So long that a restart is shorter on any machine.
    const times = { ...LEASE_TIMES, ttlMs: 90_000 };
    const [postgres, state] = [await connect(schema), kept(await openPostgresState(await connect(schema), times))];
    const grant = await state.lease.acquire('job', new AbortController().signal);
    await server.kill();
    await server.restart();
    const [before] = await postgres.query<{ until: Date }>('SELECT expires_at AS until FROM leases');
    await eventually(async () => {
      const [renewed] = await postgres.query<{ until: Date }>('SELECT expires_at AS until FROM leases');
      expect(renewed?.until.getTime()).toBeGreaterThan(before?.until.getTime() ?? Infinity);
    });
    expect(grant?.lost.aborted).toBe(false);
    expect(await state.checkpoints.save('job', '1', grant?.fence)).toBe(true);
  });

  test('a refused sign-in is an outage, so that no event is parked while a password is changed', async () => {
    const schema = schemaOf();
    const [postgres, url] = [await connect(schema), new URL(server.url)];
    url.username = schema;
    await postgres.query(`CREATE ROLE ${schema} LOGIN`);
    const signedIn = await connect(schema, { patienceMs: 100 }, url.toString());
    await signedIn.query('SELECT 1');
    await postgres.query(`ALTER ROLE ${schema} NOLOGIN`);
    await postgres.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [schema]);
    const failure = await signedIn.query('SELECT 1').catch((error: unknown) => error);
    await postgres.query(`ALTER ROLE ${schema} LOGIN`);
    expect(failure).toBeInstanceOf(Unavailable);
    expect(await signedIn.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('after an internal error, a write is reported and not repeated, because it may have taken effect; a read is', async () => {
    const postgres = await connect(schemaOf(), { connections: 1 });
    const db = await openPostgresReadModels<unknown>(postgres);
    const table = createReadModelTable<OrderRow>({ db, ...ORDER_TABLE });
    await table.prepare();
    await postgres.query('CREATE SEQUENCE attempts');
    const failing = `DECLARE attempt bigint := nextval('attempts');
      BEGIN IF attempt <> 3 THEN RAISE 'broken' USING ERRCODE = 'XX000'; END IF; RETURN attempt; END`;
    await postgres.query(`CREATE FUNCTION third() RETURNS bigint LANGUAGE plpgsql AS $$ ${failing} $$`);
    await postgres.query('ALTER TABLE orders ADD CONSTRAINT attempt CHECK (third() > 0) NOT VALID');
    await expect(table.put(orderRow())).rejects.toThrow(Unavailable);
    await postgres.query('ALTER TABLE orders DROP CONSTRAINT attempt');
    expect(await postgres.query('SELECT last_value FROM attempts')).toEqual([{ last_value: 1 }]);
    expect(await table.put(orderRow())).toBe(true);
    expect((await sql`SELECT third() AS attempt`.execute(db)).rows).toEqual([{ attempt: 3 }]);
  });
});
