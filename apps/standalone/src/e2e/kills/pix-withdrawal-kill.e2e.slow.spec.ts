import { join } from 'node:path';
import { openPayoutBooks } from '../../../../ledger/src/payouts/simulated-payout-books';
import { trialBalanceOf, ofType, readLog } from '../testing/trial-balance';
import { succeeded } from '../testing/client';
import { Customer } from '../testing/customer';
import { Program, SIMULATED, SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';

jest.setTimeout(2 * SUITE_MS);

interface Withdrawal {
  readonly id: string;
  readonly state: string;
}

const FUNDS = '100.00';
const PIX_KEY = '52998224725';
const DEATH_MS = 60_000;
/** Longer than the 30 s for which an interrupted request keeps its key locked. */
const RETRY_MS = 90_000;
const KEY = { 'idempotency-key': 'the-one-withdrawal' };

/** An amount that the simulated bank pays, and one that it finally refuses. */
const PAID = { amount: '10.00', ends: 'completed', left: '90.00', last: 'WithdrawalCompleted' } as const;
const REFUSED = { amount: '10.95', ends: 'rolled-back', left: '100.00', last: 'WithdrawalRolledBack' } as const;

const ways = (types: readonly string[]) => types.flatMap((type) => [`before:${type}`, `after:${type}`]);
/** The appends at which the process kills itself, in the order of the steps of a Pix withdrawal. */
const POINTS = [
  ...ways([
    ...['HoldPlaced', 'AllowanceTaken', 'WithdrawalCreated', 'WithdrawalProcessingStarted', 'WithdrawalPosted'],
    'WithdrawalCompleted',
  ]).map((point) => [point, PAID.ends, PAID] as const),
  ...ways(['WithdrawalRolledBack', 'AllowanceReturned', 'HoldReleased']).map(
    (point) => [point, REFUSED.ends, REFUSED] as const,
  ),
];

let program: Program;
let rest: string;
beforeAll(async () => {
  program = await Program.build();
  rest = await prepared();
});
afterAll(() => program.close());

/**
 * Prepares a folder whose sub-account holds BRL and in which nothing is in progress. Each point works on a copy of it.
 */
async function prepared(): Promise<string> {
  const folder = program.dataFolder();
  const running = await program.start(folder, SIMULATED);
  const customer = Customer.of(running.sandbox);
  await customer.fund(FUNDS);
  await customer.api.close();
  await running.stop();
  return folder;
}

it.each(POINTS)(
  'a Pix withdrawal killed %s ends once as %s in our books and those of the bank',
  async (failpoint, ends, { amount, left, last }) => {
    const folder = program.copyOf(rest);
    const body = { asset: 'fiat/brl', method: 'pix', amount, 'pix-key': PIX_KEY };
    const doomed = await program.start(folder, { ...SIMULATED, PONTE_FAILPOINT: failpoint });
    const before = Customer.of(doomed.sandbox);
    await before.api.send('POST', before.path('/withdrawals'), body, KEY).catch(() => undefined);
    expect((await doomed.ended(DEATH_MS)).signal).toBe('SIGKILL');
    await before.api.close();

    const running = await program.start(folder, SIMULATED);
    const customer = Customer.of(running.sandbox);
    const ask = () => customer.api.send<{ withdrawal: Withdrawal }>('POST', customer.path('/withdrawals'), body, KEY);
    const { withdrawal } = await until(async () => succeeded(await ask()), RETRY_MS);
    await until(async () => {
      const { withdrawals } = await customer.api.get<{ withdrawals: Withdrawal[] }>(customer.path('/withdrawals'));
      expect(withdrawals.map(({ id, state }) => [id, state])).toEqual([[withdrawal.id, ends]]);
      expect(await customer.balance('brl')).toEqual({ running: left, available: left, held: '0.00' });
    });
    await customer.api.close();
    await running.stop();

    const bank = openPayoutBooks(join(folder, 'payout-bank.db'));
    const payments = bank.payments().map((payment) => [payment.amount, payment.status]);
    bank.close();
    expect(payments).toEqual([[amount, ends === 'completed' ? 'completed' : 'refused']]);
    const log = await readLog(folder);
    const { unbalancedAt, openHolds } = trialBalanceOf(log);
    expect({ unbalancedAt, openHolds }).toEqual({ unbalancedAt: null, openHolds: [] });
    for (const type of ['WithdrawalCreated', 'WithdrawalProcessingStarted', last])
      expect([type, ofType(log, type).length]).toEqual([type, 1]);
    expect(ofType(log, 'WithdrawalPosted')).toHaveLength(ends === 'completed' ? 1 : 0);
  },
);
