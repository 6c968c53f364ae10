import { SANCTIONED_SANDBOX_ADDRESS as LISTED } from '@ponte/contracts';
import type { Client, Json } from './testing/client';
import { succeeded } from './testing/client';
import type { Customer } from './testing/customer';
import { brlvOnChain } from './testing/on-chain';
import type { Running } from './testing/program';
import { ANVIL, SUITE_MS } from './testing/program';
import { signInStaff } from './testing/staff';
import { until } from './testing/waiting';
import { SandboxSuite } from './testing/sandbox-suite';

jest.setTimeout(SUITE_MS);

interface Review extends Json {
  readonly id: string;
  readonly subject: string;
  readonly 'subject-id': string;
}

let running: Running;
let suite: SandboxSuite;
let customer: Customer;
let approvers: [Client, Client];
let source: string;

beforeAll(async () => {
  suite = await SandboxSuite.start(ANVIL);
  ({ running, customer, wallet: source } = suite);
  const { sandbox } = running;
  const signedIn = (name: string) => {
    const staff = sandbox.staff.find((one) => one.name === name);
    if (!staff) throw new Error(`the sandbox has no ${name}`);
    return signInStaff(sandbox['base-url'], staff);
  };
  approvers = [await signedIn('approver-1'), await signedIn('approver-2')];
  approvers.forEach((one) => suite.closing(one));
  await customer.fund('100.00');
  const { order } = succeeded(await customer.accept(await customer.quote('100.00')));
  await customer.ended(order.id);
});
afterAll(() => suite.close());

const reviewOf = (subjectId: string): Promise<Review> =>
  until(async () => {
    const { 'address-reviews': all } = await approvers[0].get<{ 'address-reviews': Review[] }>(
      '/staff/v1/address-reviews',
    );
    const found = all.find((one) => one['subject-id'] === subjectId);
    if (!found) throw new Error('nothing waits for a review');
    return found;
  });
const decide = async (by: Client, { id }: Review, verdict: 'false-positive' | 'true-match'): Promise<void> => {
  const path = `/staff/v1/address-reviews/${id}`;
  const { 'address-review': read } = await by.get<{ 'address-review': { version: string } }>(path);
  succeeded(await by.send('POST', `${path}/verdict`, { version: read.version, verdict, reason: 'Ticket 4711' }));
};
const clear = async (review: Review): Promise<void> => {
  for (const approver of approvers) await decide(approver, review, 'false-positive');
};
const read = async (path: string, member: string): Promise<Json> =>
  (await customer.api.get<Record<string, Json>>(customer.path(path)))[member] ?? {};
const reaches = (path: string, member: string, state: string): Promise<Json> =>
  until(async () => {
    const found = await read(path, member);
    if ((found['state'] ?? found['status']) !== state) throw new Error(`it is not ${state}: ${JSON.stringify(found)}`);
    return found;
  });
const TIPS = /sanction|review|ofac|listed/i;

const transfer = async (amount: string): Promise<string> => {
  const body = { 'source-address': source, asset: 'eth-base/brlv', 'target-address': LISTED, amount };
  return (await customer.api.post<{ transfer: { id: string } }>(customer.path('/transfers'), body)).transfer.id;
};
/** The true matches in the staff view of the account. */
const matches = async (): Promise<Json[]> =>
  (
    await approvers[0].get<{ account: { 'address-matches': Json[] } }>(
      `/staff/v1/accounts/${customer.accountId}/standing`,
    )
  ).account['address-matches'];
/** Receives USDC from outside. An amount with the decimals .95 comes from the listed address. */
const arrives = async (amount: string): Promise<string> => {
  const body = { 'account-id': customer.accountId, type: 'token', asset: 'eth-base/usdc', amount };
  const { deposit } = await customer.api.post<{ deposit: Json }>('/api/v1/sandbox/deposits', body);
  expect(deposit['source-address']).toBe(LISTED);
  return until(async () => {
    const { deposits } = await customer.api.get<{ deposits: { id: string }[] }>(
      customer.path(`/assets/usdc/deposits?tx-hash=${String(deposit['tx-hash'])}`),
    );
    if (!deposits[0]) throw new Error('the deposit is not seen yet');
    return deposits[0].id;
  });
};

describe('a transfer to an address on a sanctions list', () => {
  it('waits without revealing the reason, and completes after two false positives', async () => {
    const id = await transfer('10');
    const review = await reviewOf(id);
    const waiting = await read(`/transfers/${id}`, 'transfer');
    expect([waiting['state'], TIPS.test(JSON.stringify(waiting))]).toEqual(['created', false]);
    await clear(review);
    await reaches(`/transfers/${id}`, 'transfer', 'completed');
    expect(await matches()).toEqual([]);
    expect(Number(await brlvOnChain(running.dataDirectory).of(LISTED))).toBe(10);
  });

  it('fails with code compliance after a true match and makes its funds available again', async () => {
    const before = (await customer.balance('brlv')).available;
    const id = await transfer('5');
    await decide(approvers[0], await reviewOf(id), 'true-match');
    const failed = await reaches(`/transfers/${id}`, 'transfer', 'failed');
    expect([failed['failure'], TIPS.test(JSON.stringify(failed))]).toEqual([
      expect.objectContaining({ code: 'compliance', retryable: false }),
      false,
    ]);
    await until(async () => expect((await customer.balance('brlv')).available).toBe(before));
    expect(await matches()).toEqual([
      expect.objectContaining({ subject: 'transfer', 'subject-id': id, address: LISTED, chain: 'eth-base' }),
    ]);
  });
});

describe('tokens from an address on a sanctions list', () => {
  it('stay confirmed without being in a balance, and are credited after two false positives', async () => {
    const id = await arrives('20.95');
    const review = await reviewOf(id);
    expect(await read(`/assets/usdc/deposits/${id}`, 'deposit')).toMatchObject({ status: 'confirmed' });
    expect(Number((await customer.balance('usdc')).running)).toBe(0);
    await clear(review);
    await reaches(`/assets/usdc/deposits/${id}`, 'deposit', 'credited');
    expect(Number((await customer.balance('usdc')).running)).toBe(20.95);
  });

  it('are voided after a true match and never credited', async () => {
    const before = (await customer.balance('usdc')).running;
    const id = await arrives('7.95');
    await decide(approvers[1], await reviewOf(id), 'true-match');
    const voided = await reaches(`/assets/usdc/deposits/${id}`, 'deposit', 'voided');
    expect([TIPS.test(JSON.stringify(voided)), (await customer.balance('usdc')).running]).toEqual([false, before]);
    expect((await matches()).map((match) => match['subject-id'])).toContain(id);
    const { 'address-reviews': found } = await approvers[0].get<{ 'address-reviews': Review[] }>(
      `/staff/v1/address-reviews?verdict=true-match&account-id=${customer.accountId}`,
    );
    expect(found.map((review) => review.subject)).toEqual(['deposit', 'transfer']);
  });
});
