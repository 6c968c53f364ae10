import type { Answer, ErrorBody, Json } from '../../testing/client';
import { Client } from '../../testing/client';
import { Customer } from '../../testing/customer';
import type { Operation } from './document';
import { filled, operationsOf } from './document';
import { Operator } from '../../testing/operator';
import type { Running } from '../../testing/program';
import { Program, SIMULATED } from '../../testing/program';
import { until } from '../../testing/waiting';

/** Several polls of the bank by the ledger. */
const QUIET_MS = 2_000;
const ENV = { ...SIMULATED, LEDGER_POLL_MS: '300' };

export type ApiClients = Record<'anonymous' | 'partner' | 'child' | 'foreign' | 'readOnly' | 'operator', Client>;

/**
 * A sandbox with two partners, a client for each kind of caller, and a sub-account that owns one resource of each kind.
 */
export class ApiUnderTest {
  private constructor(
    private readonly program: Program,
    readonly running: Running,
    /** The sub-account of the sandbox. */
    readonly child: Customer,
    readonly foreignId: string,
    readonly clients: ApiClients,
    private readonly documented: readonly Operation[],
    /** Every code of the error catalogue. */
    readonly codes: ReadonlySet<string>,
    /** The ids of the resources that the sub-account owns. */
    readonly owned: Readonly<Record<'order' | 'deposit' | 'endpoint' | 'quote', string>>,
  ) {}

  static async start(): Promise<ApiUnderTest> {
    const program = await Program.build();
    const running = await program.start(program.dataFolder(), ENV);
    const { sandbox } = running;
    const baseUrl = sandbox['base-url'];
    const operator = Operator.of(running);
    const foreignId = await operator.openAccount({
      alias: 'another partner',
      'legal-name': 'Outra Parceira SA',
      'tax-id': '11444777000161',
      'onboarding-mode': 'kyc',
    });
    const child = Customer.of(sandbox);
    const clients = {
      anonymous: new Client(baseUrl, {}),
      partner: child.api,
      child: Client.bearer(baseUrl, await operator.bearerKey(child.accountId, 'read-write')),
      foreign: Client.bearer(baseUrl, await operator.bearerKey(foreignId, 'read-write')),
      readOnly: Client.bearer(baseUrl, await operator.bearerKey(sandbox['account-id'], 'read-only')),
      operator: operator.api,
    };
    const documented = await operationsOf(clients.anonymous);
    const codes = new Set(
      (await clients.anonymous.get<{ errors: { code: string }[] }>('/api/v1/errors')).errors.map(({ code }) => code),
    );
    const deposit = await child.fund('100.00');
    const accepted = await child.accept(await child.quote('10.00'));
    await child.ended(accepted.body.order.id);
    const { 'webhook-endpoint': endpoint } = await child.api.post<{ 'webhook-endpoint': { id: string } }>(
      child.path('/webhook-endpoints'),
      { url: 'http://127.0.0.1:9/', 'event-types': ['order-rolled-back'] },
    );
    const owned = {
      deposit: deposit.id,
      order: accepted.body.order.id,
      endpoint: endpoint.id,
      quote: await child.quote('10.00'),
    };
    return new ApiUnderTest(program, running, child, foreignId, clients, documented, codes, owned);
  }

  get partnerId(): string {
    return this.running.sandbox['account-id'];
  }

  get operations(): Operation[] {
    return this.documented.filter(({ streams }) => !streams);
  }

  get streams(): Operation[] {
    return this.documented.filter(({ streams }) => streams);
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.clients).map((client) => client.close()));
    await this.program.close();
  }

  /** The id of a resource of the sub-account for the `{id}` of an operation. */
  ownedId({ path }: Operation): string {
    if (path.includes('/orders/')) return this.owned.order;
    if (path.includes('/deposits/')) return this.owned.deposit;
    if (path.includes('/webhook-endpoints/')) return this.owned.endpoint;
    return this.child.accountId;
  }

  /** The example body of the document, changed to use the given account. */
  bodyFor(operation: Operation, accountId: string): Json | undefined {
    switch (operation.id) {
      case 'simulate-pix-payment':
        return { 'account-id': accountId, amount: '1.00' };
      case 'simulate-deposit':
        return { 'account-id': accountId, type: 'ted', amount: '1.00' };
      // The example advances the clock by a day. After three days the endpoint, which has no receiver, would be
      // disabled.
      case 'advance-clock':
        return { seconds: 60 };
      case 'create-order':
      case 'create-order-v0':
        return { 'quote-id': this.owned.quote };
      default:
        return operation.example && 'account-id' in operation.example
          ? { ...operation.example, 'account-id': accountId }
          : operation.example;
    }
  }

  readonly call = (
    client: Client,
    operation: Operation,
    accountId: string,
    id = this.ownedId(operation),
  ): Promise<Answer<ErrorBody>> =>
    client.send(
      operation.method,
      filled(operation, { 'account-id': accountId, asset: 'brl', id }),
      this.bodyFor(operation, accountId),
    );

  /** Everything of the sub-account that a partner can read. No other caller may have changed it. */
  readonly standing = (): Promise<unknown[]> =>
    Promise.all(
      ['', '/orders', '/assets/brl/deposits', '/webhook-endpoints', '/assets/brlv/balance'].map(async (rest) => {
        const read = await this.child.api.get<Json>(this.child.path(rest));
        return rest.endsWith('balance') ? (read['balance'] as Json)['running-balance'] : read;
      }),
    );

  /** The same, after everything that was in progress has ended. */
  readonly atRest = async (): Promise<unknown[]> => {
    // The ledger's poll that finds this TED has also found all earlier ones.
    const ted = { 'account-id': this.child.accountId, type: 'ted', amount: '1.00' };
    const { deposit } = await this.child.api.post<{ deposit: Json }>('/api/v1/sandbox/deposits', ted);
    await this.child.deposited(String(deposit['end-to-end-id']), 'credited');
    return until(async () => {
      const { orders } = await this.child.api.get<{ orders: { state: string }[] }>(
        this.child.path('/orders?limit=200'),
      );
      expect(orders.filter(({ state }) => state === 'processing')).toEqual([]);
      const { deposits } = await this.child.api.get<{ deposits: { status: string }[] }>(
        this.child.path('/assets/brl/deposits?limit=200'),
      );
      expect(deposits.filter(({ status }) => status !== 'credited' && status !== 'voided')).toEqual([]);
      const before = await this.standing();
      await new Promise((resolve) => {
        setTimeout(resolve, QUIET_MS);
      });
      const after = await this.standing();
      expect(after).toEqual(before);
      return after;
    });
  };
}
