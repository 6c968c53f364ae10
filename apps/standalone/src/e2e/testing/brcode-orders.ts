import type { WebhookReceiver } from '../../demo/webhook-receiver';
import type { Deposit, Order, PaidPix } from './customer';
import type { Customer } from './customer';
import { brlvOnChain } from './on-chain';
import type { Running } from './program';
import type { SandboxUnderTest } from './sandbox-under-test';
import { until } from './waiting';

/** The price of an order in BRL. */
export const PRICE = '40.00';
type Charged = Order & { readonly brcode: string; readonly expiration: string };
interface Standing {
  readonly brl: unknown;
  readonly brlv: string;
  readonly onChain: bigint;
  readonly received: string;
  readonly returned: string;
  readonly kept: string;
}
export const NOTHING_HELD = { running: '0.00', available: '0.00', held: '0.00' };
const ONE = 10n ** 18n;
export const centavos = (amount: string): bigint => BigInt(amount.replace('.', ''));
const reais = (amount: bigint): string =>
  String(amount)
    .padStart(3, '0')
    .replace(/(?=..$)/, '.');
const wei = (tokens: string): bigint => {
  const [whole = '0', part = ''] = tokens.split('.');
  return BigInt(`${whole}${part.padEnd(18, '0')}`);
};

/** Places a customer's orders that are paid by brcode and checks their outcome. */
export class BrcodeOrders {
  constructor(
    private readonly running: Running,
    private readonly customer: Customer,
    private readonly sandbox: SandboxUnderTest,
    readonly receiver: WebhookReceiver,
  ) {}

  /** Places an order that waits for its payment. */
  async order(): Promise<Charged> {
    const { status, body } = await this.customer.accept(await this.customer.quote(PRICE), { brcode: true });
    expect(status).toBe(200);
    return body.order as Charged;
  }

  /** Pays a code over HTTP, as the account's holder unless another payer is given. */
  readonly paid = async (
    brcode: string,
    how: { readonly amount?: string; readonly 'payer-tax-id'?: string } = {},
  ): Promise<PaidPix['pix-payment']> =>
    (await this.customer.api.post<PaidPix>('/api/v1/sandbox/pix-payments', { brcode, ...how }))['pix-payment'];
  readonly pay = async (...payment: Parameters<typeof this.paid>): Promise<string> =>
    (await this.paid(...payment))['end-to-end-id'];

  /** The account's money according to our books, the chain and the bank. */
  async standing(): Promise<Standing> {
    const { received, returned } = await this.sandbox.bank();
    return {
      brl: await this.customer.balance('brl'),
      brlv: (await this.customer.balance('brlv')).running,
      onChain: wei(await brlvOnChain(this.running.dataDirectory).of(this.running.sandbox['wallet-address'])),
      received,
      returned,
      kept: reais(centavos(received) - centavos(returned)),
    };
  }

  /** Expects `times` mints of the whole price and no other change. */
  async expectBought(before: Standing, times = 1): Promise<void> {
    const after = await this.standing();
    expect(after.onChain - before.onChain).toBe(40n * ONE * BigInt(times));
    expect(centavos(after.kept) - centavos(before.kept)).toBe(40_00n * BigInt(times));
    expect(after.brl).toEqual(NOTHING_HELD);
  }

  /** Expects that the order is rolled back, the money was returned to the payer's bank, and no tokens were added. */
  async expectReturned(
    before: Standing,
    orderId: string,
    code: string,
    endToEndId: string,
    paid: string,
  ): Promise<void> {
    const order = await this.customer.ended(orderId);
    expect(order).toMatchObject({ state: 'rolled-back', failure: { code } });
    expect(order).not.toHaveProperty('tx-hash');
    const deposit = await this.expectVoided(endToEndId, paid);
    const after = await until(async () => {
      const now = await this.standing();
      expect(now.kept).toBe(before.kept);
      return now;
    });
    expect(after).toMatchObject({ brl: NOTHING_HELD, brlv: before.brlv, onChain: before.onChain });
    expect(centavos(after.returned) - centavos(before.returned)).toBe(centavos(paid));
    await this.expectReported(orderId, ['order-created', 'order-rolled-back']);
    const [, rolledBack] = this.receiver.verified.filter((one) => one['resource-id'] === orderId);
    expect(rolledBack?.payload['failure']).toMatchObject({ code });
    await this.expectReported(deposit.id, ['deposit-voided']);
  }

  async expectVoided(endToEndId: string, paid: string): Promise<Deposit> {
    const deposit = await this.customer.deposited(endToEndId, 'voided');
    expect(deposit.amount).toBe(paid);
    return deposit;
  }

  readonly expectReported = (resourceId: string, types: readonly string[]): Promise<void> =>
    until(() => {
      expect(
        this.receiver.verified.filter((one) => one['resource-id'] === resourceId).map((one) => one['event-type']),
      ).toEqual(types);
    });
}
