import { pixKeyOf } from '@ponte/kernel';
import { succeeded } from '../testing/client';
import { SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';
import type { Placed } from './testing/attacked-cluster';
import { AttackedCluster, minor } from './testing/attacked-cluster';

jest.setTimeout(SUITE_MS);

const HOLDER_KEY = '52998224725';
const BRCODE = { 'source-payment-method': 'brcode' };
const TOKENS = ['eth-base/brlv', 'eth-base/usdc'];

const WEEK_MS = 7 * 86_400_000;

let attacked: AttackedCluster;

beforeAll(async () => {
  attacked = await AttackedCluster.start({ LEDGER_POLL_MS: '500' });
  await attacked.customer.fund('2000.00');
  for (const token of TOKENS) {
    const { id } = await attacked.order('fiat/brl', token, { 'source-amount': '900.00' });
    expect((await attacked.customer.ended(id)).state).toBe('completed');
  }
});
afterAll(() => attacked.close());

const available = async (): Promise<bigint> => minor((await attacked.customer.balance('brl')).available);
const payouts = (): readonly string[] => attacked.payoutBank.totals().completed;
const sell = async (token: string, brl: string): Promise<Placed> => {
  const quoteId = await attacked.quoted(token, 'fiat/brl', { 'target-amount': brl });
  const members = {
    'source-wallet-address': attacked.cluster.sandbox['wallet-address'],
    'target-end-user-pix-key': HOLDER_KEY,
  };
  return succeeded(await attacked.accept(quoteId, members)).order;
};

describe.each(TOKENS)('the payout of a sale of %s', (token) => {
  it.each([
    ['does not reach the bank at first', '40.91'],
    ['is made by the bank without a response', '40.92'],
    ['is made late', '40.93'],
    ['is reported twice', '40.94'],
    ['gets an error from the bank at first', '40.98'],
  ])('that %s is made once, and the order is delivered', async (_what, brl) => {
    const [before, made] = [await available(), payouts().length];
    const { id } = await sell(token, brl);
    expect(await attacked.customer.ended(id)).toMatchObject({
      state: 'completed',
      delivery: { state: 'delivered' },
    });
    expect([await available(), payouts().length]).toEqual([before, made + 1]);
    await attacked.expectSettled();
  });

  it.each([
    ['refuses', '40.95'],
    ['refuses after accepting it', '40.96'],
  ])('that the bank %s stays in the balance and is never paid', async (_what, brl) => {
    const [before, made] = [await available(), payouts().length];
    const { id } = await sell(token, brl);
    expect(await attacked.customer.ended(id)).toMatchObject({
      state: 'completed',
      delivery: { state: 'kept-in-balance', reason: 'bank-refused' },
    });
    await until(async () => expect((await available()) - before).toBe(minor(brl)));
    expect(payouts()).toHaveLength(made);
    await attacked.expectSettled();
  });
});

describe('a payout that the payee’s bank returns days later', () => {
  it('leaves the order delivered and adds the BRL to the balance once', async () => {
    const before = await available();
    const { id } = await sell('eth-base/brlv', '40.97');
    expect(await attacked.customer.ended(id)).toMatchObject({ delivery: { state: 'delivered' } });
    expect(await available()).toBe(before);
    attacked.cluster.clock.pass(new Date(attacked.cluster.clock.now() + WEEK_MS).toISOString());
    await until(async () => expect((await available()) - before).toBe(minor('40.97')));
    await attacked.expectSettled();
  });
});

describe('an order whose payment the bank does not report', () => {
  it.each(TOKENS)('for %s is completed by polling the bank before the code expires', async (token) => {
    await attacked.misbehave({ callbacks: 'lost' });
    const kept = await attacked.kept();
    const {
      id,
      brcode,
      expiration = '',
    } = await attacked.order('fiat/brl', token, { 'source-amount': '50.00' }, BRCODE);
    await attacked.pay(brcode);
    expect((await attacked.customer.ended(id)).state).toBe('completed');
    expect(attacked.cluster.clock.now()).toBeLessThan(Date.parse(expiration));
    expect(await attacked.kept()).toBe(kept + minor('50.00'));
    await attacked.misbehave({ callbacks: 'prompt' });
    await attacked.expectSettled();
  });
});

// This test must be the last one, because the Pix key then belongs to another person.
describe('a Pix key that has another owner when the payout is to be sent', () => {
  it('is not paid, and the order states why the BRL stays in the balance', async () => {
    const [before, made] = [await available(), payouts().length];
    const key = pixKeyOf(HOLDER_KEY);
    if (!key) throw new Error('a CPF is a Pix key');
    const id = await attacked.whileNodesStandStill(async () => {
      const placed = await sell('eth-base/brlv', '40.00');
      attacked.payoutBank.directory.move(key);
      return placed.id;
    });
    expect(await attacked.customer.ended(id)).toMatchObject({
      state: 'completed',
      delivery: { state: 'kept-in-balance', reason: 'pix-key-owner-changed' },
    });
    await until(async () => expect((await available()) - before).toBe(minor('40.00')));
    expect(payouts()).toHaveLength(made);
    await attacked.expectSettled();
  });
});
