import { cpSync, readdirSync } from 'node:fs';
import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import Database from 'libsql';
import { Customer } from './customer';
import type { Running } from './program';
import { Program, SUITE_MS } from './program';
import { until } from './waiting';

jest.setTimeout(SUITE_MS);

/** What `docs/operations.md` tells operators to do, done to the program as it is shipped, over the embedded engines. */
describe('the procedures of operations', () => {
  let program: Program;
  let server: Server;
  /** `webhook-id` of every request, once for each time that it came. */
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

  /** An order to its end, with all that its partner is told of it. */
  const trade = async (amount: string): Promise<void> => {
    const before = heard.length;
    await customer.ended((await customer.accept(await customer.quote(amount))).body.order.id);
    await until(() => expect(heard.length).toBeGreaterThanOrEqual(before + 3));
  };
  const shown = async () => ({
    orders: await customer.api.get(customer.path('/orders')), deposits: await customer.api.get(customer.path('/assets/brl/deposits')),
    accounts: await customer.api.get('/api/v1/accounts'), wallets: await customer.api.get(customer.path('')), brl: await customer.balance('brl'),
  });
  const admin = (...argv: string[]) => program.verb(['admin', ...argv], folder);
  const json = async <T>(...argv: string[]): Promise<T[]> => JSON.parse((await admin(...argv, '--json')).output) as T[];
  const behind = async (name: string) => (await json<{ relay: string; behind: number }>('relay', 'show')).find(({ relay }) => relay === name)?.behind;

  it('a damaged view is rebuilt while the cluster trades, and shows what it showed before', async () => {
    const before = await shown();
    const damage = new Database(join(folder, 'views.db'), { timeout: 5_000 });
    for (const statement of ['DELETE FROM orders', 'DELETE FROM ledger_deposits', "UPDATE onboarding_accounts SET revision = 900, alias = 'nobody'"]) damage.exec(statement);
    damage.close();
    expect(await customer.api.get(customer.path('/orders'))).toEqual({ orders: [] });
    const rebuilding = admin('views', 'rebuild', '--all', '--reason', 'rows were lost');
    await trade('10.00');
    expect(await rebuilding).toMatchObject({ code: 0, output: expect.stringContaining('orders-view') as string });
    const { orders, ...after } = await shown();
    const ids = (list: unknown) => (list as { orders: { id: string }[] }).orders.map(({ id }) => id);
    expect(ids(orders).slice(1)).toEqual(ids(before.orders));
    expect(after).toMatchObject({ deposits: before.deposits, accounts: before.accounts, wallets: before.wallets });
    const views = await json<{ view: string; trouble: string | null }>('views', 'list');
    expect(views.map(({ view }) => view)).toEqual(expect.arrayContaining(['orders-view', 'ledger-books', 'webhook-deliveries', 'onboarding-accounts']));
    expect(views.every(({ trouble }) => trouble === null)).toBe(true);
  });

  it('a relay that is put back to the beginning delivers nothing twice, not even to an endpoint that was made since', async () => {
    expect(new Set(heard).size).toBe(heard.length);
    const before = heard.length;
    expect(await admin('relay', 'rewind', 'webhook-outbox', '--to', 'start', '--reason', 'a gap')).toMatchObject({ code: 0 });
    await until(async () => expect(await behind('webhook-outbox')).toBe(0));
    expect(heard).toHaveLength(before);
    await trade('5.00');
    expect(new Set(heard).size).toBe(heard.length);
    expect(await json('actions')).toMatchObject([{ verb: 'relay rewind', reason: 'a gap', ended: 'done' }, { verb: 'views rebuild', ended: 'done' }]);
  });

  it('what the log and the keys say is all that a restore needs: the rest is made from them, and nobody is told twice', async () => {
    const before = await shown();
    const told = heard.length;
    await running.stop();
    await customer.api.close();
    const restored = program.dataFolder();
    const made = /^(views|state|edge)\.db/;
    for (const name of readdirSync(folder)) if (!made.test(name)) cpSync(join(folder, name), join(restored, basename(name)), { recursive: true });
    folder = restored;
    running = await program.start(folder);
    customer = Customer.of(running.sandbox);
    await until(async () => expect(await shown()).toEqual(before));
    await until(async () => expect(await behind('webhook-outbox')).toBe(0));
    expect(heard).toHaveLength(told);
    await trade('7.00');
  });

  it('the master key is changed while nothing runs, and persons are still known', async () => {
    expect(await admin('keys', 'rewrap', '--reason', 'yearly')).toMatchObject({ code: 1, output: expect.stringContaining('stop what runs') as string });
    await running.stop();
    await customer.api.close();
    expect(await admin('keys', 'rewrap', '--reason', 'yearly')).toMatchObject({ code: 0, output: expect.stringContaining('under a new master key') as string });
    running = await program.start(folder);
    customer = Customer.of(running.sandbox);
    await customer.fund('11.00');
    await trade('6.00');
  });
});
