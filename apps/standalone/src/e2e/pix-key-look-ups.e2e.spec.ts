import { randomUUID } from 'node:crypto';
import type { Answer } from './testing/client';
import { codeOf } from './testing/client';
import { SIMULATED, SUITE_MS } from './testing/program';
import { SandboxSuite } from './testing/sandbox-suite';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

const UNKNOWN_KEY = 'unknown@pix.example';
const OTHER_KEY = '11144477735';
const LIMITED = '429 too-many-pix-key-look-ups';

let suite: SandboxSuite;
beforeAll(async () => {
  // Five unknown keys at once, and another one only after 20 minutes.
  suite = await SandboxSuite.start({ ...SIMULATED, LEDGER_PIX_KEY_LOOK_UPS: 'account=1/100' });
  await suite.customer.fund('100.00');
});
afterAll(() => suite.close());

interface Withdrawal {
  readonly id: string;
  readonly state: string;
}

const withdraw = (pixKey: string, key: string = randomUUID()): Promise<Answer<{ readonly withdrawal: Withdrawal }>> =>
  suite.customer.api.persist(
    suite.customer.path('/withdrawals'),
    { asset: 'fiat/brl', method: 'pix', amount: '1.00', 'pix-key': pixKey },
    key,
  );

it('A partner who guesses Pix keys with new idempotency keys is limited, on all replicas together', async () => {
  const paid = randomUUID();
  const first = await withdraw(OTHER_KEY, paid);
  expect(codeOf(first)).toBe('200');
  const { id } = first.body.withdrawal;
  await until(async () => {
    const { state } = await suite.customer.api.get<Withdrawal>(suite.customer.path(`/withdrawals/${id}`));
    expect(state).toBe('completed');
  });

  const codes = (await Promise.all(Array.from({ length: 40 }, () => withdraw(UNKNOWN_KEY)))).map(codeOf);
  // The token of the paid key may be on its way back to the bucket.
  expect([4, 5]).toContain(codes.filter((code) => code === '422 pix-key-not-found').length);
  expect(codes.filter((code) => code !== '422 pix-key-not-found')).toEqual(
    Array(codes.filter((code) => code === LIMITED).length).fill(LIMITED),
  );

  const refused = await withdraw(OTHER_KEY);
  expect(codeOf(refused)).toBe(LIMITED);
  const seconds = Number(refused.headers['retry-after']);
  expect(seconds).toBeGreaterThan(1);
  expect(seconds).toBeLessThanOrEqual(1_200);
  // A repetition of the request that was paid gets its response.
  expect((await withdraw(OTHER_KEY, paid)).body).toEqual(first.body);
});
