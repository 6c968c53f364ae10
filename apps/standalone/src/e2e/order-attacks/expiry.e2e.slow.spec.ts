import { setTimeout as wait } from 'node:timers/promises';
import { SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';
import { AttackedCluster, minor } from './testing/attacked-cluster';

jest.setTimeout(SUITE_MS);

const PRICE = '50.00';
const BRCODE = { 'source-payment-method': 'brcode' };
const TOKENS = ['eth-base/brlv', 'eth-base/usdc'];
/** The service checks for expired codes every two seconds, so it has done so within this time. */
const LOOKED_MS = 4_500;

let attacked: AttackedCluster;

beforeAll(async () => {
  attacked = await AttackedCluster.start();
});
afterAll(() => attacked.close());
afterEach(() => attacked.cluster.clock.goOn());

const placed = async (token: string) => {
  const { id, brcode, expiration = '' } = await attacked.order('fiat/brl', token, { 'source-amount': PRICE }, BRCODE);
  return { id, brcode, expiration };
};
const later = (iso: string, milliseconds: number): string => new Date(Date.parse(iso) + milliseconds).toISOString();

/**
 * Expects that the payments were returned to the payer's bank, the customer has no more tokens than before, and nothing
 * is in progress.
 */
async function expectReturned(endToEndIds: readonly string[], kept: bigint, tokens: string, token: string) {
  for (const endToEndId of endToEndIds) await attacked.customer.deposited(endToEndId, 'voided');
  await until(async () => expect(await attacked.kept()).toBe(kept));
  expect((await attacked.customer.balance(token.split('/')[1] ?? '')).running).toBe(tokens);
  await attacked.expectSettled();
}

describe.each(TOKENS)('a brcode for %s', (token) => {
  const balance = async () => (await attacked.customer.balance(token.split('/')[1] ?? '')).running;

  it('is accepted when it is paid in the millisecond of its expiration, even after an expiry check', async () => {
    const [kept, tokens] = [await attacked.kept(), await balance()];
    const { id, brcode, expiration } = await placed(token);
    attacked.cluster.clock.stopAt(expiration);
    await wait(LOOKED_MS);
    const { settledAt, endToEndId } = await attacked.pay(brcode);
    expect(settledAt).toBe(expiration);
    attacked.cluster.clock.goOn();
    const { state, 'target-amount': delivered } = await attacked.customer.ended(id);
    expect(state).toBe('completed');
    await attacked.customer.deposited(endToEndId, 'credited');
    await until(async () => expect(minor(await balance()) - minor(tokens)).toBe(minor(delivered as string)));
    expect(await attacked.kept()).toBe(kept + minor(PRICE));
    await attacked.expectSettled();
  });

  it('buys nothing when it is paid one millisecond after its expiration, and the payment is returned', async () => {
    const [kept, tokens] = [await attacked.kept(), await balance()];
    const { id, brcode, expiration } = await placed(token);
    attacked.cluster.clock.stopAt(later(expiration, 1));
    const { settledAt, endToEndId } = await attacked.pay(brcode);
    expect(settledAt).toBe(later(expiration, 1));
    attacked.cluster.clock.goOn();
    const { state, failure } = await attacked.customer.ended(id);
    // The charge may have been closed in between.
    expect([state, failure?.code]).toEqual(['rolled-back', expect.stringMatching(/^(paid-late|brcode-expired)$/)]);
    await expectReturned([endToEndId], kept, tokens, token);
  });

  it('buys nothing when it is paid twice at once after the rollback, and both payments are returned', async () => {
    const [kept, tokens] = [await attacked.kept(), await balance()];
    const { id, brcode, expiration } = await placed(token);
    attacked.cluster.clock.pass(expiration);
    const expired = { state: 'rolled-back', failure: { code: 'brcode-expired' } };
    expect(await attacked.customer.ended(id)).toMatchObject(expired);
    const both = await Promise.all([attacked.pay(brcode), attacked.pay(brcode)]);
    await expectReturned(
      both.map(({ endToEndId }) => endToEndId),
      kept,
      tokens,
      token,
    );
    expect(await attacked.customer.ended(id)).toMatchObject(expired);
  });

  it('buys nothing when it is paid while it is being closed, and each payment is returned once', async () => {
    const [kept, tokens] = [await attacked.kept(), await balance()];
    const orders = await Promise.all(Array.from({ length: 8 }, () => placed(token)));
    const last = orders.map(({ expiration }) => expiration).sort()[7] ?? '';
    attacked.cluster.clock.pass(last);
    const payments = await Promise.all(
      orders.map(async ({ brcode }, at) => {
        await wait(at * 250);
        return attacked.pay(brcode);
      }),
    );
    for (const { id } of orders) expect((await attacked.customer.ended(id)).state).toBe('rolled-back');
    await expectReturned(
      payments.map(({ endToEndId }) => endToEndId),
      kept,
      tokens,
      token,
    );
  });
});
