import { randomBytes } from 'node:crypto';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { dumpPostgres, restorePostgres } from '../testing/cluster-engines';
import { OperationsUnderTest } from '../testing/operations-under-test';
import { CLUSTERED, itClustered, itEmbedded, SIMULATED, SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';

jest.setTimeout(SUITE_MS);

const plus = (one: string, other: string): string =>
  ((Number(one.replace('.', '')) + Number(other.replace('.', ''))) / 100).toFixed(2);

/** Runs the procedures of `docs/operations` on the built program: embedded, or with Kafka and PostgreSQL. */
describe('the procedures for backups and keys', () => {
  let ops: OperationsUnderTest;
  beforeAll(async () => {
    ops = await OperationsUnderTest.start();
  });
  afterAll(() => ops.close());

  itClustered('restore older tables, which catch up with the log without sending a webhook twice', async () => {
    const dump = join(ops.folder, '..', 'yesterday.sql');
    await dumpPostgres(ops.folder, dump);
    await ops.trade('2.00');
    await ops.trade('1.00');
    const [before, reported] = [await ops.shown(), ops.heard.length];
    await ops.stop();
    await restorePostgres(ops.folder, dump);
    await ops.again();
    await until(async () => expect(await ops.shown()).toEqual(before));
    for (const relay of ['webhook-outbox', 'relay-orders']) await ops.atHead(relay);
    expect(ops.heard).toHaveLength(reported);
    await ops.trade('7.00');
    expect(new Set(ops.heard).size).toBe(ops.heard.length);
  });

  itClustered('change the master key of a cluster with rolling restarts and one verb', async () => {
    await ops.stop();
    const [old, next] = [join(ops.folder, 'master.key'), join(ops.folder, 'next.key')];
    writeFileSync(next, randomBytes(32).toString('hex'), { mode: 0o600 });
    ops.env = { ...SIMULATED, PONTE_MASTER_KEY_FILE: next, PONTE_OTHER_MASTER_KEY_FILE: old };
    await ops.again();
    expect(await ops.admin('keys', 'rewrap', '--reason', 'yearly')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/[1-9]\d* keys of personal data were re-encrypted/) as string,
    });
    expect(await ops.admin('keys', 'rewrap', '--reason', 'again')).toMatchObject({
      code: 0,
      output: expect.stringContaining('0 keys of personal data were re-encrypted') as string,
    });
    await ops.stop();
    ops.env = { ...SIMULATED, PONTE_MASTER_KEY_FILE: next };
    await ops.again();
    await ops.fund('11.00');
    await ops.trade('6.00');
  });

  // A cluster of processes is restored from dumps, as above. The embedded cluster has only the files of one folder.
  itEmbedded('restore from only the log and the keys without sending a webhook twice', async () => {
    const before = await ops.shown();
    const reported = ops.heard.length;
    await ops.stop();
    const restored = ops.program.dataFolder();
    const made = /^(read-models|state|edge)\.db/;
    for (const name of readdirSync(ops.folder))
      if (!made.test(name)) cpSync(join(ops.folder, name), join(restored, basename(name)), { recursive: true });
    ops.folder = restored;
    await ops.again();
    await until(async () => expect(await ops.shown()).toEqual(before));
    await ops.atHead('webhook-outbox');
    expect(ops.heard).toHaveLength(reported);
    await ops.trade('7.00');
  });

  // A cluster of processes has its key outside the folder and changes it while it is running.
  itEmbedded('change the master key while nothing is running and keep personal data readable', async () => {
    expect(await ops.admin('keys', 'rewrap', '--reason', 'yearly')).toMatchObject({
      code: 1,
      output: expect.stringContaining('stop the processes') as string,
    });
    await ops.stop();
    expect(await ops.admin('keys', 'rewrap', '--reason', 'yearly')).toMatchObject({
      code: 0,
      output: expect.stringContaining('under a new master key') as string,
    });
    await ops.again();
    await ops.fund('11.00');
    await ops.trade('6.00');
  });

  it('restore an older log with newer tables, bank and keys, and credit again what the bank has', async () => {
    const keptAt = new Date().toISOString();
    const [before, parked] = [await ops.shown(), await ops.json('parked', 'list')];
    await ops.stop();
    // A copy of the files of the stopped store. The backup tools of a running store would copy the same, since written
    // events never change.
    const log = CLUSTERED
      ? ['event-store.log']
      : readdirSync(ops.folder).filter((name) => name.startsWith('events.db'));
    const backup = ops.program.dataFolder();
    for (const name of log) cpSync(join(ops.folder, name), join(backup, name));
    await ops.again();
    const lost = await ops.customer.settle(await ops.customer.quote('3.00'), 'of the lost day');
    await ops.customer.ended(lost.body.order.id);
    await ops.fund('33.00');
    await ops.stop();
    for (const name of readdirSync(ops.folder))
      if (log.includes(name) || name.startsWith('events.db')) rmSync(join(ops.folder, name));
    for (const name of log) cpSync(join(backup, name), join(ops.folder, name));
    await ops.restoreReaders(keptAt);
    await ops.again();
    await until(async () =>
      expect((await ops.customer.balance('brl')).running).toBe(plus(before.brl.running, '33.00')),
    );
    // The lists are rebuilt independently of the balances.
    await until(async () => expect((await ops.shown()).orders).toEqual(before.orders));
    expect((await ops.customer.api.send('GET', ops.customer.path(`/orders/${lost.body.order.id}`))).status).toBe(404);
    // The lost order's idempotency key can be used again.
    const rebuilt = await ops.customer.settle(await ops.customer.quote('4.00'), 'of the lost day');
    expect([rebuilt.status, (await ops.customer.ended(rebuilt.body.order.id)).state]).toEqual([200, 'completed']);
    await ops.trade('5.00');
    const behind = await ops.json<{ relay: string; trouble: string | null }>('relay', 'show');
    expect(behind.filter(({ trouble }) => trouble !== null)).toEqual([]);
    expect(await ops.json('parked', 'list')).toEqual(parked);
  });
});
