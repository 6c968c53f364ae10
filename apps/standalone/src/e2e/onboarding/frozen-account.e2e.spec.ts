import { runAdmin } from '../../../../admin/src/program';
import type { Json } from '../testing/client';
import { codeOf } from '../testing/client';
import type { Client } from '../testing/client';
import { Customer } from '../testing/customer';
import type { Running } from '../testing/program';
import { SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';
import type { StaffClients } from './testing/review-under-test';
import { approve, ReviewUnderTest } from './testing/review-under-test';

jest.setTimeout(SUITE_MS);

const ADDRESSES = { 'source-address': `0x${'1'.repeat(40)}`, 'target-address': `0x${'2'.repeat(40)}` };

let review: ReviewUnderTest;
let partner: Client;
let staff: StaffClients;
let running: Running;
beforeAll(async () => {
  review = await ReviewUnderTest.start();
  ({ partner, staff, running } = review);
});
afterAll(() => review.close());

describe('a frozen account', () => {
  const at = (accountId: string, path: string) => `/staff/v1/accounts/${accountId}/${path}`;
  const step = (who: Client, accountId: string, path: string, body: Json = {}) =>
    who.send<{ account: { status: string; 'pending-step': string | null }; error?: { code: string } }>(
      'POST',
      at(accountId, path),
      body,
    );
  const statusOf = async (accountId: string) =>
    (await partner.get<{ account: { status: string } }>(`/api/v1/accounts/${accountId}`)).account.status;
  const password = (name: string) => running.sandbox.staff.find((one) => one.name === name)?.password ?? '';

  it('needs two members, refuses commands, allows reads and delays deposits until its release', async () => {
    const { id, 'account-id': accountId } = await review.person();
    await approve(staff.analyst, id);
    await review.stands(id, (one) => one.status === 'active');
    const customer = new Customer(partner, accountId);
    await customer.fund('100.00');
    const quoteId = await customer.quote('10.00');
    expect(
      (await step(staff.analyst, accountId, 'freeze', { reason: 'sanctions', evidence: 'Ticket 1' })).body.account,
    ).toMatchObject({ status: 'active', 'pending-step': 'freeze' });
    expect(codeOf(await step(staff.analyst, accountId, 'freeze/confirm', { request: 1 }))).toBe('403 role-not-allowed');
    expect(codeOf(await step(staff['approver-1'], accountId, 'freeze/confirm', { request: 2 }))).toBe(
      '422 freeze-step-not-pending',
    );
    expect((await step(staff['approver-1'], accountId, 'freeze/confirm', { request: 1 })).body.account.status).toBe(
      'frozen',
    );
    expect(await statusOf(accountId)).toBe('frozen');
    const commands: [string, Json][] = [
      ['quotes', { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '10.00' }],
      ['orders', { 'quote-id': quoteId }],
      ['withdrawals', { asset: 'fiat/brl', method: 'pix', amount: '10.00', 'pix-key': 'payee@example.com' }],
      ['transfers', { asset: 'eth-base/brlv', amount: '10.00', ...ADDRESSES }],
      ['nft-transfers', { 'reward-certificate-id': quoteId, ...ADDRESSES }],
      ['webhook-endpoints', { url: 'http://127.0.0.1:1/x', 'event-types': ['order-completed'] }],
    ];
    for (const [path, body] of commands)
      expect([path, codeOf(await partner.send('POST', `/api/v1/accounts/${accountId}/${path}`, body))]).toEqual([
        path,
        '403 account-not-active',
      ]);
    await partner.post('/api/v1/sandbox/pix-payments', { 'account-id': accountId, amount: '5.00' });
    const deposits = async () =>
      (
        await partner.get<{ deposits: { status: string }[] }>(`/api/v1/accounts/${accountId}/assets/brl/deposits`)
      ).deposits.map(({ status }) => status);
    await until(async () => expect(await deposits()).toEqual(['confirmed', 'credited']));

    const gateway = async () => ({ baseUrl: running.sandbox['base-url'], token: 'unused' });
    const verb = async (...argv: string[]) => {
      const output: string[] = [];
      const code = await runAdmin(
        argv,
        { gateway, operate: async () => 1 },
        { print: () => undefined, complain: (text) => void output.push(text) },
      );
      return code === 0 ? 'done' : output.join();
    };
    const by = (name: string) => ['--account', accountId, '--as', name, '--password', password(name)];
    expect(
      await verb('account', 'release', ...by('approver-2'), '--reason', 'resolved', '--evidence', 'Ticket 1, closed'),
    ).toBe('done');
    expect(await verb('account', 'confirm-release', ...by('approver-2'), '--request', '2')).toContain(
      'second-member-required',
    );
    expect(await statusOf(accountId)).toBe('frozen');
    expect(await verb('account', 'confirm-release', ...by('approver-1'), '--request', '2')).toBe('done');
    await until(async () => expect(await deposits()).toEqual(['credited', 'credited']));
    const { order } = (await customer.accept(await customer.quote('60.00'))).body;
    expect(await customer.ended(order.id)).toMatchObject({ state: 'completed' });
  });
});
