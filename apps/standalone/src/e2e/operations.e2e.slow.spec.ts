import { randomBytes, randomUUID } from 'node:crypto';
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import Database from 'libsql';
import { dumpPostgres, forged, inSchemaOf, publish, restorePostgres } from './testing/cluster-engines';
import { Customer } from './testing/customer';
import type { Env, Running } from './testing/program';
import { CLUSTERED, itClustered, itEmbedded, Program, SIMULATED, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

const plus = (one: string, other: string): string =>
  ((Number(one.replace('.', '')) + Number(other.replace('.', ''))) / 100).toFixed(2);

/**
 * Runs the procedures of `docs/operations` on the built program, with the embedded engines or with Kafka and
 * PostgreSQL.
 */
describe('the procedures of operations', () => {
  let program: Program;
  let server: Server;
  /** The `webhook-id` of every request received, including repetitions. */
  const heard: string[] = [];
  let folder: string;
  let running: Running;
  let customer: Customer;

  beforeAll(async () => {
    program = await Program.build();
    server = createServer((request, response) => {
      heard.push(String(request.headers['webhook-id']));
      request.resume();
      response.writeHead(200).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    folder = program.dataFolder();
    running = await program.start(folder);
    customer = Customer.of(running.sandbox);
    await customer.listen(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await customer.fund('500.00');
    await trade('40.00');
    await trade('25.00');
  });
  afterAll(async () => {
    await customer.api.close();
    await program.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Places an order and waits for its end and for all of its webhooks. */
  const trade = async (amount: string): Promise<void> => {
    const before = heard.length;
    await customer.ended((await customer.accept(await customer.quote(amount))).body.order.id);
    await until(() => expect(heard.length).toBeGreaterThanOrEqual(before + 3));
  };
  const shown = async () => ({
    orders: await customer.api.get(customer.path('/orders')),
    deposits: await customer.api.get(customer.path('/assets/brl/deposits')),
    accounts: await customer.api.get('/api/v1/accounts'),
    wallets: await customer.api.get(customer.path('')),
    brl: await customer.balance('brl'),
  });
  let env: Env = SIMULATED;
  const admin = (...argv: string[]) => program.verb(['admin', ...argv], folder, env);
  const json = async <T>(...argv: string[]): Promise<T[]> => JSON.parse((await admin(...argv, '--json')).output) as T[];
  const atHead = (name: string) =>
    until(async () =>
      expect(
        (await json<{ relay: string; behind: number }>('relay', 'show', name)).map(({ behind }) => behind),
      ).toEqual([0]),
    );
  const again = async (): Promise<void> => {
    running = await program.start(folder, env);
    customer = Customer.of(running.sandbox);
  };
  const stop = async (): Promise<void> => {
    await running.stop();
    await customer.api.close();
  };
  const damage = async (): Promise<void> => {
    const statements = {
      orders: 'DELETE FROM orders',
      ledger: 'DELETE FROM ledger_deposits',
      onboarding: "UPDATE onboarding_accounts SET revision = 900, alias = 'unknown'",
    };
    if (CLUSTERED) {
      for (const [service, statement] of Object.entries(statements)) await inSchemaOf(service, folder, [statement]);
      return;
    }
    const db = new Database(join(folder, 'read-models.db'), { timeout: 5_000 });
    for (const statement of Object.values(statements)) db.exec(statement);
    db.close();
  };

  it('rebuild a damaged read model while the cluster trades', async () => {
    const before = await shown();
    // The catch-up writes the rows of the newest events again, so it may undo the damage a moment later.
    await until(async () => {
      await damage();
      expect(await customer.api.get(customer.path('/orders'))).toEqual({ orders: [] });
    });
    const rebuilding = admin('read-models', 'rebuild', '--all', '--reason', 'rows were lost');
    await trade('10.00');
    expect(await rebuilding).toMatchObject({ code: 0, output: expect.stringContaining('orders-list') as string });
    const { orders, ...after } = await shown();
    const ids = (list: unknown) => (list as { orders: { id: string }[] }).orders.map(({ id }) => id);
    expect(ids(orders).slice(1)).toEqual(ids(before.orders));
    expect(after).toMatchObject({ deposits: before.deposits, accounts: before.accounts, wallets: before.wallets });
    const readModels = await json<{ name: string; trouble: string | null }>('read-models', 'list');
    expect(readModels.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['orders-list', 'ledger-trial-balance', 'webhook-deliveries', 'onboarding-accounts']),
    );
    expect(readModels.every(({ trouble }) => trouble === null)).toBe(true);
  });

  it('rewind a relay to the beginning without delivering a webhook twice', async () => {
    expect(new Set(heard).size).toBe(heard.length);
    const before = heard.length;
    expect(await admin('relay', 'rewind', 'webhook-outbox', '--to', 'start', '--reason', 'a gap')).toMatchObject({
      code: 0,
    });
    await atHead('webhook-outbox');
    expect(heard).toHaveLength(before);
    await trade('5.00');
    expect(new Set(heard).size).toBe(heard.length);
    expect(await json('actions', ...(CLUSTERED ? ['--service', 'webhooks'] : []))).toMatchObject([
      { verb: 'relay rewind', reason: 'a gap', ended: 'done' },
      { verb: 'read-models rebuild', ended: 'done' },
    ]);
    expect(
      await admin('relay', 'rewind', 'onboarding-own-wallets', '--to', 'start', '--reason', 'a gap'),
    ).toMatchObject({ code: 0, output: expect.stringContaining('continues after the beginning') as string });
    await atHead('onboarding-own-wallets');
    const [bankReader] = await json<{ position: string }>('relay', 'show', 'ledger-received-pix');
    const keptAt = new Date(Date.parse(bankReader?.position ?? '') - 60_000).toISOString();
    expect(await admin('relay', 'rewind', 'ledger-received-pix', '--to', keptAt, '--reason', 'a gap')).toMatchObject({
      code: 0,
      output: expect.stringContaining(`continues after ${keptAt}`) as string,
    });
    expect(
      await admin('relay', 'rewind', 'ledger-received-pix', '--to', '2999-01-01T00:00:00Z', '--reason', 'a slip'),
    ).toMatchObject({ code: 1, output: expect.stringContaining('in the future') as string });
    // The next poll of the bank continues from there under a new grant.
    await until(async () =>
      expect(
        (await json<{ relay: string; position: string; behind: null }>('relay', 'show', 'ledger-received-pix'))[0]
          ?.position,
      ).not.toBe(keptAt),
    );
    await customer.fund('1.00');
  });

  itClustered('rewind a relay to the brokers to the beginning without repeating any effect', async () => {
    const [before, reported] = [await shown(), heard.length];
    for (const relay of ['relay-orders', 'relay-ledger', 'relay-movements']) {
      expect(await admin('relay', 'rewind', relay, '--to', 'start', '--reason', 'a topic was rebuilt')).toMatchObject({
        code: 0,
      });
      await atHead(relay);
    }
    expect(heard).toHaveLength(reported);
    await trade('4.00');
    expect(new Set(heard).size).toBe(heard.length);
    const {
      orders: [newest, ...earlier],
    } = (await shown()).orders as { orders: { state: string }[] };
    expect([newest?.state, earlier]).toEqual(['completed', (before.orders as { orders: unknown[] }).orders]);
    expect(await json('parked', 'list', '--service', 'orders')).toEqual([]);
  });

  itClustered('find and release an event that was parked because no consumer could handle it', async () => {
    const {
      orders: [known],
    } = (await shown()).orders as { orders: { id: string }[] };
    const [lost, strange] = [randomUUID(), randomUUID()].map((id) => `order-${id}`) as [string, string];
    const startOf = (orderId: string) => ({ orderId, accountId: customer.accountId });
    // Revision 1 is missing. The event belongs to an order that has ended, so its release has no effect.
    const [first, third] = [
      forged(lost, 0, 'OrderAnnounced', {}),
      forged(lost, 2, 'OrderProcessingStarted', startOf(known?.id ?? '')),
    ];
    // An event version that only a newer release than its consumer would write.
    const poison = forged(strange, 0, 'OrderProcessingStarted', startOf(strange.slice('order-'.length)), 99);
    await publish(folder, 'orders', [{ key: 'x', value: 'no event at all' }, first, third, poison]);
    await until(async () =>
      expect(
        (await json<{ event: string }>('parked', 'list', '--service', 'orders')).map(({ event }) => event).sort(),
      ).toEqual([third.id, poison.id].sort()),
    );
    expect(await json('parked', 'list')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          service: 'orders',
          key: lost,
          reason: expect.stringContaining('earlier events of its stream are missing') as string,
        }),
        expect.objectContaining({ service: 'orders', key: strange }),
      ]),
    );
    expect(await admin('parked', 'show', third.id)).toMatchObject({
      code: 0,
      output: expect.stringContaining(known?.id ?? '') as string,
    });
    const letters = await json<{ event: string }>('dead-letters', 'list', '--service', 'orders');
    expect(letters.map(({ event }) => event).sort()).toEqual(['', third.id, poison.id].sort());
    // Other keys do not wait.
    await trade('3.00');
    expect(await admin('parked', 'release', poison.id, '--service', 'orders', '--reason', 'to see')).toMatchObject({
      code: 1,
      output: expect.stringContaining('0 of 1 handled') as string,
    });
    expect(await admin('dead-letters', 'replay', third.id, '--reason', 'not missed')).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 handled in order') as string,
    });
    expect(await admin('parked', 'release', lost, '--reason', 'not missed')).toMatchObject({
      code: 0,
      output: expect.stringContaining('released before') as string,
    });
    expect((await json<{ key: string }>('parked', 'list', '--service', 'orders')).map(({ key }) => key)).toEqual([
      strange,
    ]);
    expect(await json('actions', '--service', 'orders')).toMatchObject([
      { verb: 'parked release', ended: 'done' },
      { verb: 'parked release', ended: 'failed' },
      { verb: 'relay rewind' },
      { verb: 'read-models rebuild' },
    ]);
    const places = await json<{ service: string; reader: string }>('checkpoints');
    expect(places.map(({ reader }) => reader)).toEqual(
      expect.arrayContaining(['relay-orders', 'relay-ledger', 'webhook-outbox', 'orders-list']),
    );
  });

  itClustered('restore older tables, which catch up with the log without sending a webhook twice', async () => {
    const dump = join(folder, '..', 'yesterday.sql');
    await dumpPostgres(folder, dump);
    await trade('2.00');
    await trade('1.00');
    const [before, reported] = [await shown(), heard.length];
    await stop();
    await restorePostgres(folder, dump);
    await again();
    await until(async () => expect(await shown()).toEqual(before));
    for (const relay of ['webhook-outbox', 'relay-orders']) await atHead(relay);
    expect(heard).toHaveLength(reported);
    await trade('7.00');
    expect(new Set(heard).size).toBe(heard.length);
  });

  itClustered('change the master key of a cluster with rolling restarts and one verb', async () => {
    await stop();
    const [old, next] = [join(folder, 'master.key'), join(folder, 'next.key')];
    writeFileSync(next, randomBytes(32).toString('hex'), { mode: 0o600 });
    env = { ...SIMULATED, PONTE_MASTER_KEY_FILE: next, PONTE_OTHER_MASTER_KEY_FILE: old };
    await again();
    expect(await admin('keys', 'rewrap', '--reason', 'yearly')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/[1-9]\d* keys of personal data were encrypted again/) as string,
    });
    expect(await admin('keys', 'rewrap', '--reason', 'again')).toMatchObject({
      code: 0,
      output: expect.stringContaining('0 keys of personal data were encrypted again') as string,
    });
    await stop();
    env = { ...SIMULATED, PONTE_MASTER_KEY_FILE: next };
    await again();
    await customer.fund('11.00');
    await trade('6.00');
  });

  // A cluster of processes is restored from dumps, as above. The embedded cluster has only the files of one folder.
  itEmbedded('restore from only the log and the keys without sending a webhook twice', async () => {
    const before = await shown();
    const reported = heard.length;
    await stop();
    const restored = program.dataFolder();
    const made = /^(read-models|state|edge)\.db/;
    for (const name of readdirSync(folder))
      if (!made.test(name)) cpSync(join(folder, name), join(restored, basename(name)), { recursive: true });
    folder = restored;
    await again();
    await until(async () => expect(await shown()).toEqual(before));
    await atHead('webhook-outbox');
    expect(heard).toHaveLength(reported);
    await trade('7.00');
  });

  // A cluster of processes has its key outside the folder and changes it while it is running.
  itEmbedded('change the master key while nothing is running and keep personal data readable', async () => {
    expect(await admin('keys', 'rewrap', '--reason', 'yearly')).toMatchObject({
      code: 1,
      output: expect.stringContaining('stop the processes') as string,
    });
    await stop();
    expect(await admin('keys', 'rewrap', '--reason', 'yearly')).toMatchObject({
      code: 0,
      output: expect.stringContaining('under a new master key') as string,
    });
    await again();
    await customer.fund('11.00');
    await trade('6.00');
  });

  it('restore an older log with newer tables, bank and keys, and credit again what the bank has', async () => {
    const keptAt = new Date().toISOString();
    // The list shows an order's end with a short delay.
    await until(async () => expect(JSON.stringify((await shown()).orders)).not.toContain('"state":"processing"'));
    const [before, parked] = [await shown(), await json('parked', 'list')];
    await stop();
    // A copy of the files of the stopped store. The backup tools of a running store would copy the same, since written
    // events never change.
    const log = CLUSTERED ? ['event-store.log'] : readdirSync(folder).filter((name) => name.startsWith('events.db'));
    const backup = program.dataFolder();
    for (const name of log) cpSync(join(folder, name), join(backup, name));
    await again();
    const lost = await customer.settle(await customer.quote('3.00'), 'of the lost day');
    await customer.ended(lost.body.order.id);
    await customer.fund('33.00');
    await stop();
    for (const name of readdirSync(folder))
      if (log.includes(name) || name.startsWith('events.db')) rmSync(join(folder, name));
    for (const name of log) cpSync(join(backup, name), join(folder, name));
    await forgetTheLostDay(keptAt);
    await again();
    await until(async () => expect((await customer.balance('brl')).running).toBe(plus(before.brl.running, '33.00')));
    // The lists are rebuilt independently of the balances.
    await until(async () => expect((await shown()).orders).toEqual(before.orders));
    expect((await customer.api.send('GET', customer.path(`/orders/${lost.body.order.id}`))).status).toBe(404);
    // The lost order's idempotency key can be used again.
    const rebuilt = await customer.settle(await customer.quote('4.00'), 'of the lost day');
    expect([rebuilt.status, (await customer.ended(rebuilt.body.order.id)).state]).toEqual([200, 'completed']);
    await trade('5.00');
    const behind = await json<{ relay: string; trouble: string | null }>('relay', 'show');
    expect(behind.filter(({ trouble }) => trouble !== null)).toEqual([]);
    expect(await json('parked', 'list')).toEqual(parked);
  });

  /** The steps of "Back up and restore". */
  async function forgetTheLostDay(keptAt: string): Promise<void> {
    if (!CLUSTERED) {
      for (const name of readdirSync(folder))
        if (/^(read-models|state|edge)\.db/.test(name)) rmSync(join(folder, name));
      return;
    }
    const done = async (...argv: string[]) =>
      expect(await admin(...argv, '--reason', 'restore')).toMatchObject({ code: 0 });
    const engines = await program.start(folder, { ...env, PONTE_REPLICAS: '0' });
    await done('read-models', 'rebuild', '--all');
    await done('restore', 'set-back', '--backup-time', keptAt);
    await done('edge', 'forget');
    await engines.stop();
  }
});
