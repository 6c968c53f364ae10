import type { Client, Json } from './testing/client';
import { codeOf, succeeded } from './testing/client';
import { Operator } from './testing/operator';
import { SIMULATED, SUITE_MS } from './testing/program';
import { SandboxSuite } from './testing/sandbox-suite';
import { signInStaff } from './testing/staff';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

const STRANGER = '39053344705';
const LIST = '/staff/v1/failed-returns';
interface FailedReturn extends Json {
  readonly 'deposit-id': string;
  readonly 'end-to-end-id': string;
}

let suite: SandboxSuite;
let bank: Operator;
let operator: Client;
let approver: Client;

beforeAll(async () => {
  suite = await SandboxSuite.start({ ...SIMULATED, LEDGER_RESUME_MS: '500' });
  const { sandbox } = suite.running;
  const signedIn = async (name: string) => {
    const member = sandbox.staff.find((one) => one.name === name);
    if (!member) throw new Error(`the sandbox has no ${name}`);
    return suite.closing(await signInStaff(sandbox['base-url'], member));
  };
  [operator, approver] = [await signedIn('operator'), await signedIn('approver-1')];
  bank = Operator.of(suite.running);
  suite.closing(bank.api);
});
afterAll(() => suite.close());

const listed = async (query = ''): Promise<FailedReturn[]> =>
  (await operator.get<{ 'failed-returns': FailedReturn[] }>(`${LIST}${query}`))['failed-returns'];
/** A payment that the bank does not return to its payer at any attempt. */
async function refused(amount: string): Promise<FailedReturn> {
  await bank.api.post('/staff/sandbox/bank', { returns: 'not-carried-out' });
  const { customer } = suite;
  const body = { 'account-id': customer.accountId, amount, 'payer-tax-id': STRANGER };
  const { 'pix-payment': paid } = await customer.api.post<{ 'pix-payment': Json }>(
    '/api/v1/sandbox/pix-payments',
    body,
  );
  return until(async () => {
    const found = (await listed('?status=open')).find((one) => one['end-to-end-id'] === paid['end-to-end-id']);
    if (!found) throw new Error('the return has not failed yet');
    return found;
  });
}
const propose = (by: Client, { 'deposit-id': id }: FailedReturn, reference: string) =>
  by.send<{ 'failed-return': Json }>('POST', `${LIST}/${id}/settlement`, {
    'bank-reference': reference,
    note: 'Ticket 4711',
  });
const decide = (by: Client, { 'deposit-id': id }: FailedReturn, step: 'confirm' | 'reject', proposal = 1) =>
  by.send<{ 'failed-return': Json }>('POST', `${LIST}/${id}/settlement/${step}`, { proposal });
describe('a payment that the bank refuses permanently to return', () => {
  it('is listed, proposed by one staff member and settled by another one', async () => {
    const one = await refused('8.00');
    expect(one).toMatchObject({ cause: 'return-refused', status: 'open', amount: '8.00', settlement: null });
    expect(codeOf(await propose(approver, one, 'E1'))).toBe('403 role-not-allowed');
    expect(succeeded(await propose(operator, one, 'E1'))['failed-return']).toMatchObject({ status: 'proposed' });
    expect(codeOf(await decide(operator, one, 'confirm'))).toBe('422 second-member-required');
    expect(codeOf(await decide(operator, one, 'reject'))).toBe('422 second-member-required');
    expect(succeeded(await decide(approver, one, 'confirm'))['failed-return']).toMatchObject({
      status: 'settled',
      settlement: { 'bank-reference': 'E1' },
    });
    expect(JSON.stringify(await listed())).not.toContain('Ticket 4711');
    const opened = `${LIST}/${one['deposit-id']}?purpose=review`;
    expect(succeeded(await approver.send<{ 'failed-return': Json }>('GET', opened))['failed-return']).toMatchObject({
      settlement: { 'bank-reference': 'E1', note: 'Ticket 4711' },
    });
    expect(codeOf(await operator.send('GET', opened))).toBe('403 role-not-allowed');
    expect(codeOf(await propose(operator, one, 'E2'))).toBe('422 payment-already-settled');
    expect((await listed('?status=settled')).map((found) => found['deposit-id'])).toEqual([one['deposit-id']]);
    expect(await listed('?status=open')).toEqual([]);
  });

  it('is listed as paid back twice when the bank takes it back after its settlement', async () => {
    const one = await refused('7.00');
    succeeded(await propose(operator, one, 'E7'));
    succeeded(await decide(approver, one, 'confirm'));
    const endToEndId = one['end-to-end-id'];
    await bank.api.post('/staff/sandbox/bank', { 'take-back': endToEndId });
    await until(async () => {
      const { 'double-returns': found } = await operator.get<{ 'double-returns': Json[] }>('/staff/v1/double-returns');
      expect(found).toMatchObject([{ 'end-to-end-id': endToEndId, 'return-id': null, 'bank-reference': 'E7' }]);
    });
  });

  it('stays in the list when its settlement is rejected, and needs a bank reference of its own', async () => {
    const other = await refused('9.00');
    succeeded(await propose(operator, other, 'E3'));
    expect(succeeded(await decide(approver, other, 'reject'))['failed-return']).toMatchObject({
      status: 'open',
      settlement: null,
    });
    expect(codeOf(await propose(operator, other, 'E1'))).toBe('422 bank-reference-already-used');
    succeeded(await propose(operator, other, 'E3'));
    expect(succeeded(await decide(approver, other, 'confirm', 2))['failed-return']).toMatchObject({
      status: 'settled',
    });
  });
});
