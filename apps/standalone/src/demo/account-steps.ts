import type { Answer } from '@ponte/sdk';
import type { DemoContext } from './demo-context';
import { shortAmount } from './demo-context';
import { completed, until } from './waiting';

const VISIBLE = 44;
const shorten = (brcode: string): string => `${brcode.slice(0, VISIBLE)}…${brcode.slice(-4)}`;

/** The steps of the demo for one account: the requests that its partner makes for it. */
export class AccountSteps {
  constructor(
    private readonly context: DemoContext,
    readonly accountId: string,
  ) {}

  async depositByPix(amount: string): Promise<void> {
    const { client, print } = this.context;
    const { brcode } = await client.getFundingCode(this.accountId);
    print(`   the account's Pix code  ${shorten(brcode)}`);
    await client.simulatePixPayment({ brcode, amount });
    const { items } = await until(
      'the deposit',
      () => client.listDeposits(this.accountId, 'brl'),
      (page) => page.items[0]?.status === 'credited',
    );
    print(`   deposit ${items[0]?.id} is ${items[0]?.status}`);
  }

  async orderFromBalance(amount: string): Promise<void> {
    const { client, print } = this.context;
    const quote = await this.quoteFor(amount);
    const { order } = await client.createOrder(
      this.accountId,
      { 'quote-id': quote.id },
      { idempotencyKey: `demo-${quote.id}` },
    );
    print(`   order ${order.id} is ${order.state}`);
    await this.minted(order.id);
  }

  async orderByBrcode(amount: string): Promise<void> {
    const { client, print } = this.context;
    const quote = await this.quoteFor(amount);
    const { order } = await client.createOrder(this.accountId, {
      'quote-id': quote.id,
      'source-payment-method': 'brcode',
    });
    if (!order.brcode) throw new Error('the order has no brcode');
    print(`   order ${order.id} waits for the payment of ${shorten(order.brcode)}`);
    await client.simulatePixPayment({ brcode: order.brcode, amount });
    print('   the holder pays it');
    await this.minted(order.id);
  }

  async withdrawByPix(amount: string, pixKey: string): Promise<void> {
    const { client, print } = this.context;
    const { withdrawal } = await client.createWithdrawal(
      this.accountId,
      { asset: 'fiat/brl', method: 'pix', amount, 'pix-key': pixKey },
      { idempotencyKey: `demo-withdrawal-${this.accountId}` },
    );
    print(`   withdrawal ${withdrawal.id} is ${withdrawal.state}; its funds are held`);
    const ended = await completed('the withdrawal', () => client.getWithdrawal(this.accountId, withdrawal.id));
    print(`   completed, paid as ${ended['end-to-end-id']}`);
  }

  async showBalances(wallet: string): Promise<void> {
    const { client, print, onChainBalance } = this.context;
    for (const asset of ['brl', 'brlv'] as const) {
      const { balance } = await client.getBalance(this.accountId, asset);
      print(
        `   ${asset.toUpperCase().padEnd(4)} balance ${shortAmount(balance['running-balance'])} (available ` +
          `${shortAmount(balance['available-balance'])}, held ${shortAmount(balance['held-balance'])})`,
      );
    }
    print(`   BRLV in the wallet, read from the chain: ${await onChainBalance(wallet)}`);
  }

  private async quoteFor(amount: string): Promise<Answer<'create-quote'>> {
    const { client, print } = this.context;
    const quote = await client.createQuote(this.accountId, {
      'source-asset': 'fiat/brl',
      'target-asset': 'eth-base/brlv',
      'source-amount': amount,
    });
    print(
      `   quote ${quote.id}: BRL ${quote['source-amount']} for BRLV ${shortAmount(quote['target-amount'])}, ` +
        `valid until ${quote['expires-at']}`,
    );
    return quote;
  }

  private async minted(orderId: string): Promise<void> {
    const { client, print } = this.context;
    const order = await completed('the order', async () => (await client.getOrder(this.accountId, orderId)).order);
    print(`   completed, minted by transaction ${order['tx-hash']}`);
    await this.showBalances(order['target-wallet-address'] ?? '');
  }
}
