import type { SandboxFile } from '../../sandbox-file';
import type { Answer, Json } from './client';
import { Client, succeeded } from './client';
import { until } from './waiting';

export interface Order extends Json {
  readonly id: string;
  readonly state: string;
  readonly brcode?: string;
  readonly expiration?: string;
  readonly 'tx-hash'?: string | null;
  readonly failure?: { readonly code: string };
}
export interface Deposit extends Json {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly 'end-to-end-id'?: string;
}
export interface Balance {
  readonly running: string;
  readonly available: string;
  readonly held: string;
}
export interface PaidPix {
  readonly 'pix-payment': { readonly 'end-to-end-id': string; readonly 'settled-at': string };
}

const LIST_STEP_MS = 100;

/** One account as its partner uses it over HTTP. */
export class Customer {
  constructor(
    readonly api: Client,
    readonly accountId: string,
  ) {}

  /** The prepared sub-account of a sandbox, used with its partner's key. */
  static of(sandbox: SandboxFile): Customer {
    return new Customer(Client.bearer(sandbox['base-url'], sandbox['api-key']), sandbox['subaccount-id']);
  }

  path(rest: string): string {
    return `/api/v1/accounts/${this.accountId}${rest}`;
  }

  /** Pays the account's own code and waits until the money can be spent. */
  async fund(amount: string): Promise<Deposit> {
    const { 'pix-payment': paid } = succeeded(
      await this.api.persist<PaidPix>('/api/v1/sandbox/pix-payments', { 'account-id': this.accountId, amount }),
    );
    return this.deposited(paid['end-to-end-id'], 'credited');
  }

  /** The deposit of a payment, once it has the given status. */
  async deposited(endToEndId: string, status: string): Promise<Deposit> {
    return until(async () => {
      const { deposits } = await this.api.get<{ deposits: Deposit[] }>(
        this.path(`/assets/brl/deposits?end-to-end-id=${endToEndId}`),
      );
      const deposit = deposits.find((one) => one.status === status);
      if (!deposit) throw new Error(`the deposit is not ${status}: ${JSON.stringify(deposits)}`);
      return deposit;
    });
  }

  async quote(amount: string): Promise<string> {
    const command = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': amount };
    return succeeded(await this.api.persist<{ id: string }>(this.path('/quotes'), command)).id;
  }

  accept(
    quoteId: string,
    options: { readonly key?: string; readonly brcode?: boolean } = {},
  ): Promise<Answer<{ readonly order: Order }>> {
    const method = options.brcode ? { 'source-payment-method': 'brcode' } : {};
    return this.api.send(
      'POST',
      this.path('/orders'),
      { 'quote-id': quoteId, ...method },
      options.key === undefined ? {} : { 'idempotency-key': options.key },
    );
  }

  /** Accepts a quote under a key and retries until the answer is final. */
  settle(quoteId: string, key: string): Promise<Answer<{ readonly order: Order }>> {
    return this.api.persist(this.path('/orders'), { 'quote-id': quoteId }, key);
  }

  async order(id: string): Promise<Order> {
    return (await this.api.get<{ order: Order }>(this.path(`/orders/${id}`))).order;
  }

  /** The order once it has ended, completed or rolled back. */
  async ended(id: string): Promise<Order> {
    return until(async () => {
      const order = await this.order(id);
      if (order.state !== 'completed' && order.state !== 'rolled-back')
        throw new Error(`the order has not ended: ${JSON.stringify(order)}`);
      return order;
    });
  }

  /**
   * The list of orders once it shows this order's final state: a row is updated after its event, and after a kill with
   * some delay.
   */
  async listShowing({ id, state }: Order): Promise<readonly Order[]> {
    return until(
      async () => {
        const { orders } = await this.api.get<{ orders: Order[] }>(this.path('/orders'));
        if (!orders.some((one) => one.id === id && one.state === state))
          throw new Error(`the list shows ${JSON.stringify(orders)}`);
        return orders;
      },
      undefined,
      LIST_STEP_MS,
    );
  }

  async balance(asset: string): Promise<Balance> {
    const { balance } = await this.api.get<{ balance: Record<string, string> }>(this.path(`/assets/${asset}/balance`));
    return {
      running: balance['running-balance'] ?? '',
      available: balance['available-balance'] ?? '',
      held: balance['held-balance'] ?? '',
    };
  }

  async listen(url: string): Promise<string> {
    const { 'webhook-endpoint': made } = await this.api.post<{ 'webhook-endpoint': { secret: string } }>(
      this.path('/webhook-endpoints'),
      { url },
    );
    return made.secret;
  }
}
