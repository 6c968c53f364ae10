import { trialBalanceOf, readLog } from './testing/trial-balance';
import type { Answer } from './testing/client';
import { succeeded } from './testing/client';
import type { Order } from './testing/customer';
import type { Customer } from './testing/customer';
import type { Running } from './testing/program';
import { ANVIL, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';
import { SandboxSuite } from './testing/sandbox-suite';
import { codeOf } from './testing/client';

jest.setTimeout(SUITE_MS);

/** The tax id of the account's holder, which is also the holder's Pix key, and the Pix key of another person. */
const OWN_KEY = '52998224725';
const OTHER_KEY = '11144477735';

interface Withdrawal {
  readonly id: string;
  readonly state: string;
  readonly amount: string;
  readonly 'order-id'?: string;
  readonly 'end-to-end-id'?: string | null;
}
interface Published {
  readonly event: { readonly 'event-type': string; readonly payload: Record<string, unknown> };
}
type Sold = Order & { readonly delivery?: { readonly state: string; readonly reason?: string } };

let running: Running;
let suite: SandboxSuite;
let customer: Customer;
let wallet: string;

beforeAll(async () => {
  suite = await SandboxSuite.start(ANVIL);
  ({ running, customer, wallet } = suite);
  await customer.fund('2000.00');
  for (const token of ['eth-base/usdc', 'eth-base/brlv']) await bought(token, '500.00');
});
afterAll(() => suite.close());

async function quoted(source: string, target: string, amount: Record<string, string>): Promise<string> {
  const fx = /usd/.test(source + target) ? { 'trade-reason': 'transfer-between-same-entity-accounts' } : {};
  const request = { 'source-asset': source, 'target-asset': target, ...amount, ...fx };
  return succeeded(await customer.api.persist<{ id: string }>(customer.path('/quotes'), request)).id;
}
const accept = (quoteId: string, members: Record<string, string>): Promise<Answer<{ readonly order: Sold }>> =>
  customer.api.send('POST', customer.path('/orders'), { 'quote-id': quoteId, ...members });
const bought = async (token: string, amount: string): Promise<Order> => {
  const { order } = succeeded(await accept(await quoted('fiat/brl', token, { 'source-amount': amount }), {}));
  return customer.ended(order.id);
};
/** Sells a token for `brl` and has it paid out to a Pix key. */
const sell = async (token: string, brl: string, key = OWN_KEY): Promise<Answer<{ readonly order: Sold }>> =>
  accept(await quoted(token, 'fiat/brl', { 'target-amount': brl }), {
    'source-wallet-address': wallet,
    'target-end-user-pix-key': key,
  });
const payoutOf = async (orderId: string): Promise<Withdrawal | undefined> => {
  const { withdrawals } = await customer.api.get<{ withdrawals: Withdrawal[] }>(customer.path('/withdrawals'));
  return withdrawals.find((one) => one['order-id'] === orderId);
};
/** The payload of the webhook of this type about the order. */
const webhookOf = (type: string, orderId: string): Promise<Record<string, unknown>> =>
  until(async () => {
    const { events } = await customer.api.get<{ events: Published[] }>(customer.path('/events?after=0&limit=100'));
    const found = events.find(({ event }) => event['event-type'] === type && event.payload['order-id'] === orderId);
    if (!found) throw new Error(`no ${type} about the order`);
    return found.event.payload;
  });

describe('a sale to a Pix key of the holder', () => {
  it.each(['eth-base/usdc', 'eth-base/brlv'])('of %s is paid out and leaves the balance unchanged', async (token) => {
    const before = await customer.balance('brl');
    const { order } = succeeded(await sell(token, '40.00'));
    expect(order.delivery).toEqual({ state: 'pending' });
    const ended = (await customer.ended(order.id)) as Sold;
    expect(ended).toMatchObject({ state: 'completed', delivery: { state: 'delivered' }, 'target-amount': '40.00' });
    expect(ended['tx-hash']).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await payoutOf(order.id)).toMatchObject({
      state: 'completed',
      amount: '40.00',
      'end-to-end-id': expect.stringMatching(/^E/),
    });
    expect(await customer.balance('brl')).toEqual(before);
  });

  it.each(['eth-base/usdc', 'eth-base/brlv'])(
    'of %s stays in the balance if the bank refuses the payout, as its state tells',
    async (token) => {
      const before = await customer.balance('brl');
      const { order } = succeeded(await sell(token, '40.95'));
      const ended = (await customer.ended(order.id)) as Sold;
      expect(ended).toMatchObject({
        state: 'completed',
        delivery: { state: 'kept-in-balance', reason: 'bank-refused' },
      });
      // The hold of the payout is released independently of the order.
      await until(async () => {
        const after = await customer.balance('brl');
        expect(Number(after.available)).toBeCloseTo(Number(before.available) + 40.95, 2);
        expect(after.held).toBe('0.00');
      });
      expect(await payoutOf(order.id)).toMatchObject({ state: 'rolled-back' });
      expect(await webhookOf('order-completed', order.id)).toMatchObject({
        delivery: { state: 'kept-in-balance', reason: 'bank-refused' },
      });
    },
  );

  it("is refused for another person's key, an unregistered key and an invalid key", async () => {
    expect(codeOf(await sell('eth-base/brlv', '1.00', OTHER_KEY))).toBe('422 pix-key-tax-id-mismatch');
    expect(codeOf(await sell('eth-base/brlv', '1.00', 'unknown@pix.example'))).toBe('422 pix-key-not-found');
    expect(codeOf(await sell('eth-base/brlv', '1.00', 'not a key'))).toBe('422 invalid-pix-key');
    expect((await customer.balance('brlv')).held).toMatch(/^0(\.0+)?$/);
  });
});

describe('the books of these sales', () => {
  it('sum to zero after each event, and no hold is open', async () => {
    await running.stop();
    const books = trialBalanceOf(await readLog(running.dataDirectory));
    expect(books.unbalancedAt).toBeNull();
    expect(books.openHolds).toEqual([]);
  });
});
