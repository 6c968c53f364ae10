import { closeAccount, freezeAccount } from '../order-attacks/testing/account-standing';
import type { Client } from '../testing/client';
import { codeOf, succeeded } from '../testing/client';
import { SIMULATED, SUITE_MS } from '../testing/program';
import { SandboxSuite } from '../testing/sandbox-suite';
import { SandboxUnderTest } from '../testing/sandbox-under-test';
import { signInStaff } from '../testing/staff';
import { until } from '../testing/waiting';

jest.setTimeout(SUITE_MS);

const RETURNS = '/staff/v1/failed-returns';
const DESTINATION = `0x${'cd'.repeat(20)}`;

interface Deposit {
  readonly id: string;
  readonly status: string;
  readonly failure?: { readonly code: string };
  readonly 'set-aside'?: { readonly request: number };
}
interface FailedReturn {
  readonly 'deposit-id': string;
  readonly status: string;
  readonly sending: { readonly proposal: number; readonly 'tx-hash': string | null } | null;
}

let suite: SandboxSuite;
beforeAll(async () => {
  suite = await SandboxSuite.start({ ...SIMULATED, LEDGER_RESUME_MS: '500' });
});
afterAll(() => suite.close());

async function member(name: string): Promise<Client> {
  const found = suite.running.sandbox.staff.find((one) => one.name === name);
  if (!found) throw new Error(`the sandbox has no ${name}`);
  return suite.closing(await signInStaff(suite.running.sandbox['base-url'], found));
}

it('tokens that arrive at a closed account are set aside and sent to an address by two people', async () => {
  const { customer, running } = suite;
  const { accountId, api } = customer;
  const sandbox = suite.closing(SandboxUnderTest.of(running));
  await freezeAccount(running.sandbox, accountId);
  await sandbox.pass(new Date(sandbox.now() + 61_000).toISOString());
  await until(() => closeAccount(running.sandbox, accountId));
  const sent = { 'account-id': accountId, type: 'token', asset: 'eth-base/usdc', amount: '5' };
  await api.post('/api/v1/sandbox/deposits', sent);

  const [operator, approver] = [await member('operator'), await member('approver-1')];
  const waiting = async () => {
    const { deposits } = await operator.get<{ deposits: Deposit[] }>(
      `/staff/v1/deposits?account-id=${accountId}&type=token&status=confirmed`,
    );
    const [one] = deposits;
    if (!one) throw new Error('the tokens have not arrived');
    return one;
  };
  const { id } = await until(waiting);
  const path = `/staff/v1/deposits/${id}/set-aside`;
  const requested = await until(async () => succeeded(await operator.send<{ deposit: Deposit }>('POST', path)));
  const decision = { request: requested.deposit['set-aside']?.request };
  expect(codeOf(await operator.send('POST', `${path}/confirm`, decision))).toBe('422 second-member-required');
  expect(
    succeeded(await approver.send<{ deposit: Deposit }>('POST', `${path}/confirm`, decision)).deposit,
  ).toMatchObject({ status: 'voided', failure: { code: 'account-not-active' } });

  const listed = async () =>
    (await operator.get<{ 'failed-returns': FailedReturn[] }>(`${RETURNS}?cause=set-aside`))['failed-returns'];
  await until(async () => expect(await listed()).toMatchObject([{ 'deposit-id': id, status: 'open' }]));
  const body = { 'destination-address': DESTINATION, reference: 'TICKET-4713' };
  succeeded(await operator.send('POST', `${RETURNS}/${id}/sending`, body));
  expect(codeOf(await operator.send('POST', `${RETURNS}/${id}/settlement/confirm`, { proposal: 1 }))).toBe(
    '422 second-member-required',
  );
  succeeded(await approver.send('POST', `${RETURNS}/${id}/settlement/confirm`, { proposal: 1 }));
  await until(async () =>
    expect(await listed()).toMatchObject([
      { 'deposit-id': id, status: 'settled', sending: { 'tx-hash': expect.stringMatching(/^0x[0-9a-f]{64}$/) } },
    ]),
  );
  expect((await customer.balance('usdc')).running).toBe('0.000000');
});
