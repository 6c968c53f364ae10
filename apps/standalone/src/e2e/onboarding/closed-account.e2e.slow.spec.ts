import { closeAccount, freezeAccount, releaseAccount } from '../order-attacks/testing/account-standing';
import { codeOf, succeeded } from '../testing/client';
import { SUITE_MS } from '../testing/program';
import { SandboxSuite } from '../testing/sandbox-suite';
import { SandboxUnderTest } from '../testing/sandbox-under-test';
import { signInStaff } from '../testing/staff';
import { until } from '../testing/waiting';

jest.setTimeout(SUITE_MS);

const KEY = '52998224725';
const DAY_MS = 86_400_000;
/** The simulated bank pays this amount, and the bank of the payee returns it three days later. */
const RETURNED_LATER = '1.97';

let suite: SandboxSuite;
let sandbox: SandboxUnderTest;
beforeAll(async () => {
  suite = await SandboxSuite.start();
  sandbox = suite.closing(SandboxUnderTest.of(suite.running));
});
afterAll(() => suite.close());

interface Deposit {
  readonly amount: string;
  readonly status: string;
  readonly 'void-reason'?: string;
}
interface Event {
  readonly 'event-type': string;
  readonly payload: { readonly status: string };
}
interface FailedReturn {
  readonly amount: string;
  readonly reason: string;
}

it('an account is closed once it has only dust, which is written off; later money is returned, or handed to staff', async () => {
  const { customer, running } = suite;
  const { accountId, api } = customer;
  const statusOf = async () =>
    (await api.get<{ account: { status: string } }>(`/api/v1/accounts/${accountId}`)).account.status;
  const withdraw = async (amount: string) => {
    const body = { asset: 'fiat/brl', method: 'pix', amount, 'pix-key': KEY };
    const made = await api.persist<{ withdrawal: { id: string } }>(customer.path('/withdrawals'), body);
    const { id } = succeeded(made).withdrawal;
    await until(async () =>
      expect((await api.get<{ state: string }>(customer.path(`/withdrawals/${id}`))).state).toBe('completed'),
    );
  };
  const freeze = async () => {
    await freezeAccount(running.sandbox, accountId);
    await sandbox.pass(new Date(sandbox.now() + 61_000).toISOString());
  };

  await customer.fund(RETURNED_LATER);
  await withdraw(RETURNED_LATER);
  await customer.fund('10.00');
  await freeze();
  await expect(closeAccount(running.sandbox, accountId)).rejects.toThrow('The balance of fiat/brl is 10.00');
  await releaseAccount(running.sandbox, accountId);
  await withdraw('10.00');
  await customer.fund('0.01');
  await freeze();
  await expect(closeAccount(running.sandbox, accountId)).rejects.toThrow('The balance of fiat/brl is 0.01');
  await until(() => closeAccount(running.sandbox, accountId, [{ asset: 'fiat/brl', amount: '0.01' }]));
  expect(await statusOf()).toBe('closed');
  await until(async () => expect((await customer.balance('brl')).running).toBe('0.00'));

  const body = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '10.00' };
  expect(codeOf(await api.send('POST', customer.path('/quotes'), body))).toBe('403 account-not-active');
  await api.post('/api/v1/sandbox/pix-payments', { 'account-id': accountId, amount: '5.00' });
  await until(async () => {
    const { deposits } = await api.get<{ deposits: Deposit[] }>(customer.path('/assets/brl/deposits'));
    expect(deposits).toContainEqual(expect.objectContaining({ amount: '5.00', status: 'voided' }));
  });
  await sandbox.pass(new Date(sandbox.now() + 4 * DAY_MS).toISOString());
  const operator = suite.closing(await signInStaff(running.sandbox['base-url'], member('operator')));
  await until(async () => {
    const { 'failed-returns': found } = await operator.get<{ 'failed-returns': FailedReturn[] }>(
      '/staff/v1/failed-returns?cause=unallocated&status=open',
    );
    expect(found.map(({ amount, reason }) => [amount, reason])).toEqual([[RETURNED_LATER, 'account-closed']]);
  });
  expect((await customer.balance('brl')).running).toBe('0.00');
  await until(async () => {
    const { events } = await api.get<{ events: { event: Event }[] }>(customer.path('/events?limit=100'));
    const updated = events.filter(({ event }) => event['event-type'] === 'account-updated');
    expect(updated.map(({ event }) => event.payload.status)).toEqual(['frozen', 'active', 'frozen', 'closed']);
  });
});

function member(name: string) {
  const found = suite.running.sandbox.staff.find((one) => one.name === name);
  if (!found) throw new Error(`the sandbox has no ${name}`);
  return found;
}
