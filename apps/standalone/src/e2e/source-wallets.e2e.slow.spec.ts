import type { Customer } from './testing/customer';
import { codeOf, succeeded } from './testing/client';
import { SUITE_MS } from './testing/program';
import { SandboxSuite } from './testing/sandbox-suite';
import type { Wallet } from './testing/transfers';
import { OUTSIDE, Transfers } from './testing/transfers';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

let suite: SandboxSuite;
let customer: Customer;
let main: string;
let savings: string;

beforeAll(async () => {
  suite = await SandboxSuite.start();
  ({ customer, wallet: main } = suite);
  await customer.fund('100.00');
  const { order } = (await customer.accept(await customer.quote('100.00'))).body;
  expect(await customer.ended(order.id)).toMatchObject({ state: 'completed' });
  const terms = { 'wallet-name': 'Savings', chain: 'eth-base', metadata: {} };
  const { wallet } = await customer.api.post<{ wallet: Wallet }>(customer.path('/wallets'), terms);
  savings = wallet.address;
  const transfers = new Transfers(customer, main);
  const { transfer } = succeeded(await transfers.send({ 'target-address': savings, amount: '60' }));
  expect(await transfers.ended(transfer.id)).toMatchObject({ state: 'completed' });
});
afterAll(() => suite.close());

/** Accepts a sale of BRLV from a wallet. */
async function sell(amount: string, wallet: string) {
  const quoted = { 'source-asset': 'eth-base/brlv', 'target-asset': 'fiat/brl', 'source-amount': amount };
  const { id } = succeeded(await customer.api.persist<{ id: string }>(customer.path('/quotes'), quoted));
  return () =>
    customer.api.send<{ order: { id: string } }>('POST', customer.path('/orders'), {
      'quote-id': id,
      'source-wallet-address': wallet,
    });
}
const REFUSED = '422 insufficient-balance';

describe('Several requests at once, of which the source wallet can pay one', () => {
  it('accept one sale, which completes, and refuse the others', async () => {
    const sales = await Promise.all([1, 2, 3].map(() => sell('25', main)));
    const answers = await Promise.all(sales.map((accept) => accept()));
    const accepted = answers.filter(({ status }) => status < 300);
    expect(accepted).toHaveLength(1);
    const refused = answers.filter(({ status }) => status >= 300);
    expect(refused.map(codeOf)).toEqual([REFUSED, REFUSED]);
    expect(JSON.stringify(refused[0]?.body)).toContain('source-wallet-address');
    await expect(customer.ended(accepted[0]?.body.order.id ?? '')).resolves.toMatchObject({ state: 'completed' });
    // What the sale has left in the wallet pays the next one at once.
    const next = succeeded(await (await sell('15', main))());
    await expect(customer.ended(next.order.id)).resolves.toMatchObject({ state: 'completed' });
  });

  it('accept a sale and a withdrawal, which takes its tokens from the other wallet', async () => {
    const transfers = new Transfers(customer, savings);
    const { transfer } = succeeded(await transfers.send({ 'target-address': main, amount: '10' }));
    expect(await transfers.ended(transfer.id)).toMatchObject({ state: 'completed' });
    const { order } = succeeded(await (await sell('8', main))());
    const body = { asset: 'eth-base/brlv', method: 'token', amount: '9', 'destination-wallet-address': OUTSIDE };
    const { withdrawal } = await customer.api.post<{ withdrawal: { id: string } }>(customer.path('/withdrawals'), body);
    await expect(customer.ended(order.id)).resolves.toMatchObject({ state: 'completed' });
    await until(async () => {
      const path = customer.path(`/withdrawals/${withdrawal.id}`);
      expect(await customer.api.get<{ state: string }>(path)).toMatchObject({ state: 'completed' });
    });
  });

  it('accept a sale or a transfer, which completes, and refuse the other', async () => {
    const transfers = new Transfers(customer, savings);
    const sale = await sell('40', savings);
    const [sold, moved] = await Promise.all([sale(), transfers.send({ 'target-address': main, amount: '40' })]);
    expect([sold.status, moved.status].filter((status) => status < 300)).toHaveLength(1);
    if (sold.status < 300) {
      expect(codeOf(moved)).toBe(REFUSED);
      await expect(customer.ended(sold.body.order.id)).resolves.toMatchObject({ state: 'completed' });
    } else {
      expect(codeOf(sold)).toBe(REFUSED);
      await expect(transfers.ended(moved.body.transfer.id)).resolves.toMatchObject({ state: 'completed' });
    }
  });
});
