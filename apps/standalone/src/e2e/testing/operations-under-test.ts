import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { inSchemaOf } from './cluster-engines';
import { Customer } from './customer';
import type { Env, Running } from './program';
import { CLUSTERED, Program, SIMULATED } from './program';
import { until } from './waiting';

/** Statements that damage the read models of services. */
const DAMAGE = {
  orders: 'DELETE FROM orders',
  ledger: 'DELETE FROM ledger_deposits',
  onboarding: "UPDATE onboarding_accounts SET revision = 900, alias = 'unknown'",
};

/** The built program with a customer that trades and listens for webhooks, and an operator's command line. */
export class OperationsUnderTest {
  /** The `webhook-id` of every request received, including repetitions. */
  readonly heard: string[] = [];
  /** The resources that these webhooks are about, as often. */
  private readonly subjects: string[] = [];
  env: Env = SIMULATED;
  running!: Running;
  customer!: Customer;
  private readonly server: Server;

  private constructor(
    readonly program: Program,
    /** The data folder. {@link again} starts the program with it. */
    public folder: string,
  ) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const event = JSON.parse(Buffer.concat(chunks).toString()) as { 'resource-id': string };
        this.heard.push(String(request.headers['webhook-id']));
        this.subjects.push(event['resource-id']);
        response.writeHead(200).end();
      });
    });
  }

  /** Starts the program. The customer has funds and two completed orders. */
  static start(): Promise<OperationsUnderTest> {
    return Program.setUp((program) => OperationsUnderTest.startWith(program));
  }

  private static async startWith(program: Program): Promise<OperationsUnderTest> {
    const started = new OperationsUnderTest(program, program.dataFolder());
    await new Promise<void>((resolve) => started.server.listen(0, '127.0.0.1', resolve));
    await started.again();
    await started.customer.listen(`http://127.0.0.1:${(started.server.address() as AddressInfo).port}/`);
    await started.fund('500.00');
    await started.trade('40.00');
    await started.trade('25.00');
    return started;
  }

  async close(): Promise<void> {
    await this.customer.api.close();
    await this.program.close();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Places an order and waits for its end, for its row in the list, and for all of its webhooks. */
  async trade(amount: string): Promise<void> {
    const { customer } = this;
    const order = await customer.ended((await customer.accept(await customer.quote(amount))).body.order.id);
    await customer.listShowing(order);
    await this.reported(order.id, 3);
  }

  /** Funds the account and waits for the webhook of the deposit. */
  async fund(amount: string): Promise<void> {
    await this.reported((await this.customer.fund(amount)).id, 1);
  }

  private reported(resourceId: string, times: number): Promise<void> {
    return until(() => expect(this.subjects.filter((one) => one === resourceId).length).toBeGreaterThanOrEqual(times));
  }

  /** What the API shows to the customer. */
  async shown() {
    const { customer } = this;
    return {
      orders: await customer.api.get(customer.path('/orders')),
      deposits: await customer.api.get(customer.path('/assets/brl/deposits')),
      accounts: await customer.api.get('/api/v1/accounts'),
      wallets: await customer.api.get(customer.path('')),
      brl: await customer.balance('brl'),
    };
  }

  admin(...argv: string[]) {
    return this.program.verb(['admin', ...argv], this.folder, this.env);
  }

  async json<T>(...argv: string[]): Promise<T[]> {
    return JSON.parse((await this.admin(...argv, '--json')).output) as T[];
  }

  /** Resolves when the relay has read the whole log. */
  async atHead(name: string): Promise<void> {
    await until(async () =>
      expect(
        (await this.json<{ relay: string; behind: number }>('relay', 'show', name)).map(({ behind }) => behind),
      ).toEqual([0]),
    );
  }

  /** Starts the program, again if it has been stopped. */
  async again(): Promise<void> {
    this.running = await this.program.start(this.folder, this.env);
    this.customer = Customer.of(this.running.sandbox);
  }

  async stop(): Promise<void> {
    await this.running.stop();
    await this.customer.api.close();
  }

  /** Damages read models of three services. */
  async damage(): Promise<void> {
    if (CLUSTERED) {
      for (const [service, statement] of Object.entries(DAMAGE)) await inSchemaOf(service, this.folder, [statement]);
      return;
    }
    const db = new Database(join(this.folder, 'read-models.db'), { timeout: 5_000 });
    for (const statement of Object.values(DAMAGE)) db.exec(statement);
    db.close();
  }

  /** The steps of "Back up and restore". */
  async restoreReaders(keptAt: string): Promise<void> {
    if (!CLUSTERED) {
      for (const name of readdirSync(this.folder))
        if (/^(read-models|state|edge)\.db/.test(name)) rmSync(join(this.folder, name));
      return;
    }
    const done = async (...argv: string[]) =>
      expect(await this.admin(...argv, '--reason', 'restore')).toMatchObject({ code: 0 });
    const engines = await this.program.start(this.folder, { ...this.env, PONTE_REPLICAS: '0' });
    await done('read-models', 'rebuild', '--all');
    await done('restore', 'set-back', '--backup-time', keptAt);
    await done('edge', 'forget');
    await engines.stop();
  }
}
