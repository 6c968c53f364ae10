import type { OrderRow } from '@ponte/testing';
import { describeOnRealEngine, eventually, freshId, ORDER_TABLE, orderRow, WireProxy } from '@ponte/testing';
import { Unavailable } from '@ponte/kernel';
import { createReadModelTable } from '@ponte/read-models';
import type { PostgresLimits } from './options';
import { openPostgresEdgeState } from './state/edge-state';
import { openPostgresState } from './state/state';
import { openPostgresReadModels } from './read-models/read-models';
import { cleanUp, connect, kept, postgresUnderTest, schemaOf, server, NOW } from './postgres-under-test.testing';

describeOnRealEngine('PostgreSQL, behind a wire that fails', () => {
  postgresUnderTest('PostgreSQL wire faults');
  afterEach(cleanUp);
  const proxy = new WireProxy(() => Number(new URL(server.url).port));
  const through = (): string => {
    const url = new URL(server.url);
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    return url.toString();
  };
  beforeAll(() => proxy.listen());
  afterAll(() => proxy.refuse());

  test('after a reply was lost, the repeated statement recognizes its own nonce and claim', async () => {
    const edge = await openPostgresEdgeState(await connect(schemaOf(), { connections: 1 }, through()));
    for (let at = 0; at < 10; at += 1) {
      const id = freshId();
      proxy.cutAfter(1);
      expect(await edge.rememberNonce('key', id, NOW)).toBe(true);
      expect(await edge.rememberNonce('key', id, NOW)).toBe(false);
      proxy.cutAfter(1);
      const start = await edge.begin({ scope: id, bodyHash: 'body', nowMs: NOW, lockMs: 30_000 });
      if (start.kind !== 'started') throw new Error(start.kind);
      proxy.cutAfter(1);
      expect(await edge.finish(id, start.fence, { status: 200, body: '{}' }, NOW + 1)).toBe(true);
      expect(await edge.begin({ scope: id, bodyHash: 'body', nowMs: NOW, lockMs: 30_000 })).toEqual({
        kind: 'done',
        status: 200,
        body: '{}',
      });
    }
  });

  test('an unresponsive server is given up in time; rates are then counted locally until the database responds again', async () => {
    const schema = schemaOf();
    const bucket = { bucket: 'b', capacity: 2, perSecond: 1, nowMs: NOW };
    const patient = await openPostgresEdgeState(await connect(schema));
    expect(await patient.takeToken(bucket)).toMatchObject({ allowed: true, tokens: 1 });
    // With the default limits, the test itself would time out first. On a slow machine these limits may also end calls
    // that would succeed, which are repeated.
    const limits = { connectMs: 1_500, statementMs: 1_000, silenceMs: 500, patienceMs: 1_500 };
    const impatient = await connect(schema, limits, through());
    const edge = await eventually(() => openPostgresEdgeState(impatient));
    proxy.silence('everything');
    await expect(edge.rememberNonce('key', 'nonce', NOW)).rejects.toThrow(Unavailable);
    const answers = [];
    for (let at = 0; at < 4; at += 1) answers.push(await edge.takeToken(bucket));
    expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, false, false]);
    proxy.speak();
    await eventually(async () => expect(await edge.rememberNonce('key', freshId(), NOW)).toBe(true));
    const direct = await connect(schema);
    await eventually(async () => {
      await edge.takeToken({ ...bucket, bucket: 'after' });
      expect(await direct.query("SELECT bucket FROM buckets WHERE bucket = 'after'")).toHaveLength(1);
    });
  });

  test('a lease that cannot be renewed is lost for its holder before another process can get it', async () => {
    const schema = schemaOf();
    const times = { ttlMs: 1_000, renewMs: 200, askMs: 50, marginMs: 200 };
    const cut = kept(await openPostgresState(await connect(schema, {}, through()), times));
    const other = kept(await openPostgresState(await connect(schema), times));
    const grant = await cut.lease.acquire('job', new AbortController().signal);
    let lostFirst: boolean | undefined;
    const next = other.lease.acquire('job', new AbortController().signal).then((granted) => {
      lostFirst = grant?.lost.aborted;
      return granted;
    });
    await proxy.refuse();
    expect((await next)?.fence).toBeGreaterThan(grant?.fence ?? Infinity);
    expect(lostFirst).toBe(true);
    await proxy.listen();
  });

  test('reads continue after a broken connection; a write with an unknown outcome or one that waits too long is reported as such', async () => {
    const schema = schemaOf();
    const tableOf = async (limits: Partial<PostgresLimits>) => {
      const postgres = await connect(schema, { connections: 1, ...limits }, through());
      return createReadModelTable<OrderRow>({ db: await openPostgresReadModels<unknown>(postgres), ...ORDER_TABLE });
    };
    const table = await tableOf({});
    await table.prepare();
    await table.put(orderRow());
    proxy.cutAfter(1);
    expect(await table.get('o1')).toEqual(orderRow());
    proxy.cutAfter(1);
    await expect(table.put(orderRow({ revision: 1 }))).rejects.toThrow(Unavailable);
    expect((await table.get('o1'))?.revision).toBe(1);
    const impatient = await tableOf({ lockMs: 100, patienceMs: 2_500 });
    const other = await connect(schema);
    await other.transaction(async (run) => {
      await run('SELECT * FROM orders FOR UPDATE');
      await expect(impatient.put(orderRow({ revision: 2 }))).rejects.toThrow(Unavailable);
    });
    expect(await impatient.put(orderRow({ revision: 2 }))).toBe(true);
  });
});
