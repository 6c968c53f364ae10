import type { Json } from './partner-client';
import { until } from './partner-client';
import type { Stage } from './stage';

interface Quote extends Json {
  readonly id: string;
  readonly 'source-amount': string;
  readonly 'target-amount': string;
  readonly 'expires-at': string;
}
export interface Order extends Json {
  readonly id: string;
  readonly state: string;
  readonly brcode?: string;
  readonly 'tx-hash'?: string | null;
  readonly 'target-wallet-address'?: string;
}
interface Deposit extends Json {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
}
interface Withdrawal extends Json {
  readonly id: string;
  readonly state: string;
  readonly 'end-to-end-id'?: string;
}
interface Balance {
  readonly balance: {
    readonly 'running-balance': string;
    readonly 'available-balance': string;
    readonly 'held-balance': string;
  };
}

const VISIBLE = 44;
const shorten = (brcode: string): string => `${brcode.slice(0, VISIBLE)}…${brcode.slice(-4)}`;

/** An account of the story and the requests that its partner makes for it. */
export class Trader {
  constructor(
    private readonly stage: Stage,
    readonly accountId: string,
  ) {}

  path(rest: string): string {
    return `/api/v1/accounts/${this.accountId}${rest}`;
  }

  async depositByPix(amount: string): Promise<void> {
    const { client, say } = this.stage;
    const funding = await client.get<{ brcode: string }>(this.path('/deposits/pix'));
    say(`   the account's Pix code  ${shorten(funding.brcode)}`);
    await client.post('/api/v1/sandbox/pix-payments', { brcode: funding.brcode, amount });
    const { deposits } = await until(
      'the deposit',
      () => client.get<{ deposits: Deposit[] }>(this.path('/assets/brl/deposits')),
      (answer) => answer.deposits[0]?.status === 'credited',
    );
    say(`   deposit ${deposits[0]?.id} is ${deposits[0]?.status}`);
  }

  async orderFromBalance(amount: string): Promise<void> {
    const { client, say } = this.stage;
    const quote = await this.quoteFor(amount);
    const { order } = await client.post<{ order: Order }>(
      this.path('/orders'),
      { 'quote-id': quote.id },
      { 'idempotency-key': `demo-${quote.id}` },
    );
    say(`   order ${order.id} is ${order.state}`);
    await this.completed(order);
  }

  async orderByBrcode(amount: string): Promise<void> {
    const { client, say } = this.stage;
    const quote = await this.quoteFor(amount);
    const { order } = await client.post<{ order: Order }>(this.path('/orders'), {
      'quote-id': quote.id,
      'source-payment-method': 'brcode',
    });
    if (!order.brcode) throw new Error('the order carries no brcode');
    say(`   order ${order.id} waits for the payment of ${shorten(order.brcode)}`);
    await client.post('/api/v1/sandbox/pix-payments', { brcode: order.brcode, amount });
    say('   the holder pays it');
    await this.completed(order);
  }

  async withdrawByPix(amount: string, pixKey: string): Promise<void> {
    const { client, say } = this.stage;
    const { withdrawal } = await client.post<{ withdrawal: Withdrawal }>(
      this.path('/withdrawals'),
      { asset: 'fiat/brl', method: 'pix', amount, 'pix-key': pixKey },
      { 'idempotency-key': `demo-withdrawal-${this.accountId}` },
    );
    say(`   withdrawal ${withdrawal.id} is ${withdrawal.state}; its funds are held`);
    const ended = await until(
      'the withdrawal',
      () => client.get<Withdrawal>(this.path(`/withdrawals/${withdrawal.id}`)),
      ({ state }) => state === 'completed' || state === 'rolled-back',
    );
    if (ended.state !== 'completed')
      throw new Error(`the withdrawal ended ${ended.state}: ${JSON.stringify(ended['failure'])}`);
    say(`   completed, paid as ${ended['end-to-end-id']}`);
  }

  async showBalances(wallet: string): Promise<void> {
    const { client, say, onChainBalance } = this.stage;
    for (const asset of ['brl', 'brlv'] as const) {
      const { balance } = await client.get<Balance>(this.path(`/assets/${asset}/balance`));
      say(
        `   ${asset.toUpperCase().padEnd(4)} balance ${balance['running-balance']} (available ` +
          `${balance['available-balance']}, held ${balance['held-balance']})`,
      );
    }
    say(`   BRLV on the chain, read from the chain: ${await onChainBalance(wallet)}`);
  }

  private async quoteFor(amount: string): Promise<Quote> {
    const { client, say } = this.stage;
    const quote = await client.post<Quote>(this.path('/quotes'), {
      'source-asset': 'fiat/brl',
      'target-asset': 'eth-base/brlv',
      'source-amount': amount,
    });
    say(
      `   quote ${quote.id}: BRL ${quote['source-amount']} for BRLV ${quote['target-amount']}, until ` +
        `${quote['expires-at']}`,
    );
    return quote;
  }

  private async completed(placed: Order): Promise<void> {
    const { client, say } = this.stage;
    const { order } = await until(
      'the order',
      () => client.get<{ order: Order }>(this.path(`/orders/${placed.id}`)),
      (answer) => answer.order.state === 'completed' || answer.order.state === 'rolled-back',
    );
    if (order.state !== 'completed')
      throw new Error(`the order ended ${order.state}: ${JSON.stringify(order['failure'])}`);
    say(`   completed, minted by transaction ${order['tx-hash']}`);
    await this.showBalances(order['target-wallet-address'] ?? '');
  }
}
