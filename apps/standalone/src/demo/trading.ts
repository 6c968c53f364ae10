import type { Answer } from '@ponte/sdk';
import type { Stage } from './stage';
import { completed, until } from './waiting';

const VISIBLE = 44;
const shorten = (brcode: string): string => `${brcode.slice(0, VISIBLE)}…${brcode.slice(-4)}`;

/** An account of the story and the requests that its partner makes for it. */
export class Trader {
  constructor(
    private readonly stage: Stage,
    readonly accountId: string,
  ) {}

  async depositByPix(amount: string): Promise<void> {
    const { client, say } = this.stage;
    const { brcode } = await client.getFundingCode(this.accountId);
    say(`   the account's Pix code  ${shorten(brcode)}`);
    await client.simulatePixPayment({ brcode, amount });
    const { items } = await until(
      'the deposit',
      () => client.listDeposits(this.accountId, 'brl'),
      (page) => page.items[0]?.status === 'credited',
    );
    say(`   deposit ${items[0]?.id} is ${items[0]?.status}`);
  }

  async orderFromBalance(amount: string): Promise<void> {
    const { client, say } = this.stage;
    const quote = await this.quoteFor(amount);
    const { order } = await client.createOrder(
      this.accountId,
      { 'quote-id': quote.id },
      { idempotencyKey: `demo-${quote.id}` },
    );
    say(`   order ${order.id} is ${order.state}`);
    await this.minted(order.id);
  }

  async orderByBrcode(amount: string): Promise<void> {
    const { client, say } = this.stage;
    const quote = await this.quoteFor(amount);
    const { order } = await client.createOrder(this.accountId, {
      'quote-id': quote.id,
      'source-payment-method': 'brcode',
    });
    if (!order.brcode) throw new Error('the order carries no brcode');
    say(`   order ${order.id} waits for the payment of ${shorten(order.brcode)}`);
    await client.simulatePixPayment({ brcode: order.brcode, amount });
    say('   the holder pays it');
    await this.minted(order.id);
  }

  async withdrawByPix(amount: string, pixKey: string): Promise<void> {
    const { client, say } = this.stage;
    const { withdrawal } = await client.createWithdrawal(
      this.accountId,
      { asset: 'fiat/brl', method: 'pix', amount, 'pix-key': pixKey },
      { idempotencyKey: `demo-withdrawal-${this.accountId}` },
    );
    say(`   withdrawal ${withdrawal.id} is ${withdrawal.state}; its funds are held`);
    const ended = await completed('the withdrawal', () => client.getWithdrawal(this.accountId, withdrawal.id));
    say(`   completed, paid as ${ended['end-to-end-id']}`);
  }

  async showBalances(wallet: string): Promise<void> {
    const { client, say, onChainBalance } = this.stage;
    for (const asset of ['brl', 'brlv'] as const) {
      const { balance } = await client.getBalance(this.accountId, asset);
      say(
        `   ${asset.toUpperCase().padEnd(4)} balance ${balance['running-balance']} (available ` +
          `${balance['available-balance']}, held ${balance['held-balance']})`,
      );
    }
    say(`   BRLV on the chain, read from the chain: ${await onChainBalance(wallet)}`);
  }

  private async quoteFor(amount: string): Promise<Answer<'create-quote'>> {
    const { client, say } = this.stage;
    const quote = await client.createQuote(this.accountId, {
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

  private async minted(orderId: string): Promise<void> {
    const { client, say } = this.stage;
    const order = await completed('the order', async () => (await client.getOrder(this.accountId, orderId)).order);
    say(`   completed, minted by transaction ${order['tx-hash']}`);
    await this.showBalances(order['target-wallet-address'] ?? '');
  }
}
