import { trialBalanceOf, ofType, readLog } from '../testing/trial-balance';
import { succeeded } from '../testing/client';
import { Customer } from '../testing/customer';
import { brlvOnChain } from '../testing/on-chain';
import { ANVIL, Program, SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';

jest.setTimeout(2 * SUITE_MS);

interface Withdrawal {
  readonly id: string;
  readonly state: string;
}
interface Wallets {
  readonly wallets: readonly { readonly address: string }[];
}
interface Rest {
  readonly folder: string;
  readonly source: string;
  readonly target: string;
}

const FUNDS = '100.00';
const SENT = '40';
const DEATH_MS = 60_000;
/** Longer than the 30 s for which an interrupted request keeps its key locked. */
const RETRY_MS = 90_000;
const KEY = { 'idempotency-key': 'the-one-withdrawal' };
/**
 * The appends at which the process kills itself, in the order of the steps of a token withdrawal to another account.
 */
const POINTS = [
  'before:HoldPlaced',
  'after:HoldPlaced',
  'before:WithdrawalCreated',
  'after:WithdrawalCreated',
  'before:WithdrawalProcessingStarted',
  'after:WithdrawalProcessingStarted',
  'before:TransactionIntended',
  'after:TransactionIntended',
  'after:NoncesAllocated',
  'before:TransactionSigned',
  'after:TransactionSigned',
  'before:WithdrawalBroadcast',
  'after:WithdrawalBroadcast',
  'before:TransactionConfirmed',
  'after:TransactionConfirmed',
  'before:WithdrawalPosted',
  'after:WithdrawalPosted',
  'before:WithdrawalCompleted',
  'after:WithdrawalCompleted',
  'before:DepositCreated',
  'after:DepositCreated',
  'before:DepositPosted',
  'after:DepositPosted',
] as const;

let program: Program;
let rest: Rest;
beforeAll(async () => {
  program = await Program.build();
  rest = await prepared();
});
afterAll(() => program.close());

/**
 * Prepares a folder whose sub-account holds BRLV and in which nothing is in progress. Each point works on a copy of it.
 */
async function prepared(): Promise<Rest> {
  const folder = program.dataFolder();
  const running = await program.start(folder, ANVIL);
  const customer = Customer.of(running.sandbox);
  const partner = new Customer(customer.api, running.sandbox['account-id']);
  await customer.fund(FUNDS);
  const { order } = succeeded(await customer.accept(await customer.quote(FUNDS)));
  expect(await customer.ended(order.id)).toMatchObject({ state: 'completed' });
  const { wallets } = await partner.api.get<Wallets>(partner.path('/wallets?assets=eth-base/brlv'));
  await customer.api.close();
  await running.stop();
  return { folder, source: running.sandbox['wallet-address'], target: wallets[0]?.address ?? '' };
}

it.each(POINTS)(
  'a token withdrawal to another account is executed once when the process is killed %s',
  async (failpoint) => {
    const { source, target } = rest;
    const folder = program.copyOf(rest.folder);
    const body = { asset: 'eth-base/brlv', method: 'token', amount: SENT, 'destination-wallet-address': target };
    const doomed = await program.start(folder, { ...ANVIL, PONTE_FAILPOINT: failpoint });
    const before = Customer.of(doomed.sandbox);
    await before.api.send('POST', before.path('/withdrawals'), body, KEY).catch(() => undefined);
    expect((await doomed.ended(DEATH_MS)).signal).toBe('SIGKILL');
    await before.api.close();

    const running = await program.start(folder, ANVIL);
    const customer = Customer.of(running.sandbox);
    const partner = new Customer(customer.api, running.sandbox['account-id']);
    const ask = () => customer.api.send<{ withdrawal: Withdrawal }>('POST', customer.path('/withdrawals'), body, KEY);
    const { withdrawal } = await until(async () => succeeded(await ask()), RETRY_MS);
    await until(async () => {
      const { withdrawals } = await customer.api.get<{ withdrawals: Withdrawal[] }>(customer.path('/withdrawals'));
      expect(withdrawals.map(({ id, state }) => [id, state])).toEqual([[withdrawal.id, 'completed']]);
    });
    const [left, arrived] = [`60.${'0'.repeat(18)}`, `40.${'0'.repeat(18)}`];
    await until(async () =>
      expect(await partner.balance('brlv')).toMatchObject({ running: arrived, available: arrived }),
    );
    expect(await customer.balance('brlv')).toMatchObject({ running: left, available: left });
    const chain = brlvOnChain(folder);
    expect([await chain.of(source), await chain.of(target)]).toEqual(['60', SENT]);
    await customer.api.close();
    await running.stop();
    const log = await readLog(folder);
    const { unbalancedAt, openHolds, lines } = trialBalanceOf(log);
    expect({ unbalancedAt, openHolds }).toEqual({ unbalancedAt: null, openHolds: [] });
    expect(lines.get('house:clearing eth-base/brlv')?.isZero()).toBe(true);
    for (const type of ['WithdrawalCreated', 'WithdrawalPosted', 'WithdrawalCompleted']) {
      expect([type, ofType(log, type).length]).toEqual([type, 1]);
    }
    const received = ofType<{ type: string }>(log, 'DepositCreated').filter(({ data }) => data.type === 'token');
    expect(received).toHaveLength(1);
  },
);
