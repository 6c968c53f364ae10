import type { Answer, ErrorBody } from './testing/client';
import { succeeded } from './testing/client';
import type { Customer } from './testing/customer';
import { SUITE_MS } from './testing/program';
import { SandboxUnderTest } from './testing/sandbox-under-test';
import { until } from './testing/waiting';
import { SandboxSuite } from './testing/sandbox-suite';

jest.setTimeout(SUITE_MS);

interface Withdrawal {
  readonly id: string;
  readonly state: string;
  readonly amount: string;
  readonly 'scheduled-for'?: string;
  readonly 'end-to-end-id'?: string | null;
  readonly failure?: { readonly code: string; readonly retryable: boolean };
}
interface Deposit {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly 'withdrawal-id'?: string;
}

const KEY = '52998224725';
const DAY_MS = 86_400_000;

let suite: SandboxSuite;
let customer: Customer;
let sandbox: SandboxUnderTest;

beforeAll(async () => {
  suite = await SandboxSuite.start();
  customer = suite.customer;
  sandbox = suite.closing(SandboxUnderTest.of(suite.running));
  await customer.fund('1000.00');
});
afterAll(() => suite.close());

const withdraw = async (amount: string): Promise<Withdrawal> => {
  const body = { asset: 'fiat/brl', method: 'pix', amount, 'pix-key': KEY };
  return succeeded(await customer.api.persist<{ withdrawal: Withdrawal }>(customer.path('/withdrawals'), body))
    .withdrawal;
};
const read = (id: string): Promise<Withdrawal> => customer.api.get<Withdrawal>(customer.path(`/withdrawals/${id}`));
const reaches = (id: string, state: string): Promise<Withdrawal> =>
  until(async () => {
    const found = await read(id);
    if (found.state !== state) throw new Error(`it is not ${state}: ${JSON.stringify(found)}`);
    return found;
  });
const advance = (id: string): Promise<Answer<{ withdrawal: Withdrawal }>> =>
  customer.api.send('POST', `/api/v1/sandbox/withdrawals/${id}/advance`, {});
const available = async (): Promise<number> => Number((await customer.balance('brl')).available);

describe('A Pix withdrawal in the sandbox', () => {
  it.each([
    ['whose first request times out without effect', '1.91'],
    ['whose first request times out and is paid', '1.92'],
    ['that the bank pays late', '1.93'],
    ['whose notices arrive twice, one of them early', '1.94'],
    ['for which the bank reports errors at first', '1.98'],
    ['of any other amount', '1.00'],
  ])('%s is paid once (%s)', async (_, amount) => {
    const before = await available();
    const { id } = await withdraw(amount);
    const paid = await until(async () => {
      // Advancing makes the service repeat its request now instead of at its next poll.
      await advance(id);
      const found = await read(id);
      if (found.state !== 'completed') throw new Error(`it is ${found.state}`);
      return found;
    });
    expect(paid['end-to-end-id']).toMatch(/^E/);
    expect((before - (await available())).toFixed(2)).toBe(amount);
  });

  it.each(['1.95', '1.96'])(
    'that the bank refuses is rolled back and makes its funds available again (%s)',
    async (amount) => {
      const before = await available();
      const { id } = await withdraw(amount);
      await advance(id);
      const refused = await reaches(id, 'rolled-back');
      expect(refused.failure).toMatchObject({ code: expect.any(String) as string });
      await until(async () => expect(await available()).toBe(before));
    },
  );

  it('that the bank holds back stays processing until it is advanced', async () => {
    const { id } = await withdraw('1.90');
    await reaches(id, 'processing');
    const { withdrawal } = succeeded(await advance(id));
    expect([withdrawal.state, (await reaches(id, 'completed')).amount]).toEqual(['completed', '1.90']);
  });

  it('cannot be advanced when it is unknown', async () => {
    const unknown = await advance('00000000-0000-7000-8000-000000000000');
    expect([unknown.status, (unknown.body as unknown as ErrorBody).error.code]).toEqual([404, 'withdrawal-not-found']);
  });

  it('that the bank of the payee returns days later becomes a new deposit that refers to it', async () => {
    const { id } = await withdraw('1.97');
    await reaches(id, 'completed');
    const before = await available();
    await sandbox.pass(new Date(sandbox.now() + 4 * DAY_MS).toISOString());
    const returned = await until(async () => {
      const { deposits } = await customer.api.get<{ deposits: Deposit[] }>(customer.path('/assets/brl/deposits'));
      const found = deposits.find((one) => one['withdrawal-id'] === id && one.status === 'credited');
      if (!found) throw new Error(`nothing came back: ${JSON.stringify(deposits)}`);
      return found;
    });
    expect([returned.amount, (await read(id)).state]).toEqual(['1.97', 'completed']);
    await until(async () => expect(((await available()) - before).toFixed(2)).toBe('1.97'));
  });
});
