import type { Answer } from './testing/client';
import { succeeded } from './testing/client';
import type { Deposit, Order, PaidPix } from './testing/customer';
import type { Customer } from './testing/customer';
import { Operator } from './testing/operator';
import type { Running } from './testing/program';
import { ANVIL, SUITE_MS } from './testing/program';
import { SandboxUnderTest } from './testing/sandbox-under-test';
import { readLog, trialBalanceOf } from './testing/trial-balance';
import { until } from './testing/waiting';
import { SandboxSuite } from './testing/sandbox-suite';
import { codeOf } from './testing/client';

jest.setTimeout(SUITE_MS);

const PRICE = '50.00';
const STRANGER = '11144477735';
const FX_WINDOW_MS = 300_000;

type Charged = Order & { readonly brcode: string; readonly expiration: string; readonly 'target-amount': string };

let running: Running;
let suite: SandboxSuite;
let customer: Customer;
let sandbox: SandboxUnderTest;

beforeAll(async () => {
  suite = await SandboxSuite.start({ ...ANVIL, LEDGER_RESUME_MS: '200' });
  ({ running, customer } = suite);
  sandbox = suite.closing(SandboxUnderTest.of(running));
});
afterAll(() => suite.close());

async function quoted(more: Record<string, string> = {}): Promise<{ id: string; 'expires-at': string }> {
  const request = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/usdc', 'source-amount': PRICE };
  const reason = { 'trade-reason': 'transfer-between-same-entity-accounts' };
  return succeeded(await customer.api.persist(customer.path('/quotes'), { ...request, ...reason, ...more }));
}
const accept = (quoteId: string): Promise<Answer<{ order: Charged }>> =>
  customer.api.send('POST', customer.path('/orders'), { 'quote-id': quoteId, 'source-payment-method': 'brcode' });
const order = async (): Promise<Charged> => succeeded(await accept((await quoted()).id)).order;
const pay = async (brcode: string, how: Record<string, string> = {}): Promise<string> =>
  (await customer.api.post<PaidPix>('/api/v1/sandbox/pix-payments', { brcode, ...how }))['pix-payment'][
    'end-to-end-id'
  ];
const usdc = async (): Promise<bigint> => {
  const { balance } = await customer.api.get<{ balance: Record<string, string> }>(
    customer.path('/assets/usdc/balance'),
  );
  return BigInt((balance['running-balance'] ?? '').replace('.', ''));
};
const kept = async (): Promise<bigint> => {
  const { received, returned } = await sandbox.bank();
  return BigInt(received.replace('.', '')) - BigInt(returned.replace('.', ''));
};

/**
 * Expects that the order ended with this code, the payment was returned to the payer's bank and nothing was delivered.
 */
async function expectReturned(id: string, code: string, endToEndId: string, before: bigint): Promise<void> {
  const ended = await customer.ended(id);
  expect(ended).toMatchObject({ state: 'rolled-back', failure: { code } });
  expect(ended).not.toHaveProperty('tx-hash');
  await customer.deposited(endToEndId, 'voided');
  await until(async () => expect(await kept()).toBe(before));
  expect(await customer.balance('brl')).toEqual({ running: '0.00', available: '0.00', held: '0.00' });
}

describe('an FX order that is paid by brcode', () => {
  afterEach(() => sandbox.misbehave({ callbacks: 'prompt', returns: 'prompt', settlement: 'prompt' }));

  it('delivers the agreed amount after its quote has expired, and returns a second payment', async () => {
    const [tokens, before] = [await usdc(), await kept()];
    const { id, brcode, expiration, ...placed } = await order();
    expect(Date.parse(expiration) - Date.parse(placed['created-at'] as string)).toBe(FX_WINDOW_MS);
    // The quote is valid for a minute; the rate of the order is locked for five.
    await sandbox.pass(new Date(Date.parse(expiration) - 60_000).toISOString());
    const [first, second] = [await pay(brcode), await pay(brcode)];
    expect(await customer.ended(id)).toMatchObject({
      state: 'completed',
      'base-rate': placed['base-rate'],
      'target-amount': placed['target-amount'],
    });
    const standings = await until(async () => {
      const both = await Promise.all(
        [first, second].map(async (endToEndId) => {
          const path = customer.path(`/assets/brl/deposits?end-to-end-id=${endToEndId}`);
          return (await customer.api.get<{ deposits: Deposit[] }>(path)).deposits[0]?.status;
        }),
      );
      expect([...both].sort()).toEqual(['credited', 'voided']);
      return both;
    });
    expect(standings).toHaveLength(2);
    await until(async () => expect(await kept()).toBe(before + 50_00n));
    expect((await usdc()) - tokens).toBe(BigInt(placed['target-amount'].replace('.', '')));
  });

  it.each([
    ['a centavo less', { amount: '49.99' }, 'amount-mismatch'],
    ['a centavo more', { amount: '50.01' }, 'amount-mismatch'],
    ['the money of another person', { 'payer-tax-id': STRANGER }, 'payer-tax-id-mismatch'],
  ])('buys nothing when paid with %s, and returns the payment in full', async (_how, payment, code) => {
    const [tokens, before] = [await usdc(), await kept()];
    const { id, brcode } = await order();
    await expectReturned(id, code, await pay(brcode, payment), before);
    expect(await usdc()).toBe(tokens);
  });

  it('is not executed when the payment settles late', async () => {
    const [tokens, before] = [await usdc(), await kept()];
    const { id, brcode } = await order();
    await sandbox.misbehave({ settlement: 'late' });
    await expectReturned(id, 'paid-late', await pay(brcode), before);
    expect(await usdc()).toBe(tokens);
  });

  it('expires if it is not paid in five minutes, and returns a later payment', async () => {
    const before = await kept();
    const { id, brcode, expiration } = await order();
    await sandbox.pass(expiration);
    expect(await customer.ended(id)).toMatchObject({ state: 'rolled-back', failure: { code: 'brcode-expired' } });
    await expectReturned(id, 'brcode-expired', await pay(brcode), before);
  });

  it('is executed at the locked rate if it was paid in time but reported after its expiration', async () => {
    const tokens = await usdc();
    await sandbox.misbehave({ callbacks: 'held' });
    const { id, brcode, expiration, ...placed } = await order();
    await pay(brcode);
    await sandbox.pass(expiration);
    expect(await customer.ended(id)).toMatchObject({ state: 'completed', 'base-rate': placed['base-rate'] });
    await until(async () => expect((await usdc()) - tokens).toBe(BigInt(placed['target-amount'].replace('.', ''))));
  });

  it('is refused in the last minute of its rate lock, and can still be paid from the balance', async () => {
    const lock = { 'rate-lock': '5m' };
    const { id, 'expires-at': end } = await quoted(lock);
    await sandbox.pass(new Date(Date.parse(end) - 59_000).toISOString());
    expect(codeOf(await accept(id))).toBe('422 brcode-window-too-short');
    await customer.fund(PRICE);
    const { order: placed } = succeeded(
      await customer.api.send<{ order: Order }>('POST', customer.path('/orders'), { 'quote-id': id }),
    );
    expect(await customer.ended(placed.id)).toMatchObject({ state: 'completed' });
  });

  it('is the only order of its quote, whatever the keys and payment methods of its acceptances', async () => {
    // Enough for all of them, since each acceptance holds the price until it is refused.
    await customer.fund('500.00');
    const { id } = await quoted();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        customer.api.send<{ order: Charged }>(
          'POST',
          customer.path('/orders'),
          at % 2 === 0 ? { 'quote-id': id } : { 'quote-id': id, 'source-payment-method': 'brcode' },
          { 'idempotency-key': `accept-${id}-${at}` },
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect([...new Set(answers.filter(({ status }) => status !== 200).map(codeOf))]).toEqual([
      '422 quote-already-accepted',
    ]);
    const won = answers.find(({ status }) => status === 200);
    const { order: placed } = succeeded(won as Answer<{ order: Charged }>);
    if (placed.brcode !== undefined) await pay(placed.brcode);
    expect(await customer.ended(placed.id)).toMatchObject({ state: 'completed' });
  });

  it('needs the pay-after-acceptance capability when it is accepted', async () => {
    const operator = Operator.of(running);
    const change = (body: object) =>
      operator.api.post(`/staff/accounts/${customer.accountId}/capabilities`, { ...body });
    const { id } = await quoted();
    await change({ revoke: ['pay-after-acceptance'] });
    expect(codeOf(await accept(id))).toBe('403 pay-after-acceptance-not-enabled');
    await change({ grant: ['pay-after-acceptance'] });
    const { order: placed } = succeeded(await accept(id));
    await pay(placed.brcode);
    expect(await customer.ended(placed.id)).toMatchObject({ state: 'completed' });
    await operator.api.close();
  });
});

describe('the books of these orders', () => {
  it('sum to zero after each event, and no hold is open', async () => {
    await running.stop();
    const books = trialBalanceOf(await readLog(running.dataDirectory));
    expect(books.unbalancedAt).toBeNull();
    expect(books.openHolds).toEqual([]);
  });
});
