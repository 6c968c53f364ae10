import { trialBalanceOf, ofType, readLog } from '../testing/trial-balance';
import { succeeded } from '../testing/client';
import { Customer } from '../testing/customer';
import { brlvOnChain } from '../testing/on-chain';
import { ANVIL, Program, SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';

jest.setTimeout(SUITE_MS);

interface Transfer {
  readonly id: string;
  readonly state: string;
}
interface Wallets {
  readonly wallets: readonly { readonly address: string }[];
}

const FUNDS = '100.00';
const SENT = '40';
const DEATH_MS = 60_000;
/** Longer than the 30 s for which an interrupted request keeps its key locked. */
const RETRY_MS = 90_000;
/** The appends at which the process kills itself, in the order of the steps of a transfer to another account. */
const POINTS = [
  'before:HoldPlaced',
  'after:HoldPlaced',
  'before:TransferCreated',
  'after:TransferCreated',
  'after:TransferSendingStarted',
  'after:TransactionIntended',
  'after:NoncesAllocated',
  'before:TransactionSigned',
  'after:TransactionSigned',
  'after:TransferPending',
  'before:TransactionConfirmed',
  'after:TransactionConfirmed',
  'before:TokenMovementPosted',
  'after:TokenMovementPosted',
  'before:TransferCompleted',
  'after:TransferCompleted',
  'after:DepositCreated',
  'after:DepositPosted',
] as const;

let program: Program;
beforeAll(async () => {
  program = await Program.build();
});
afterAll(() => program.close());

/** Prepares a folder whose sub-account holds BRLV and in which nothing is in progress. */
async function prepared(): Promise<{ folder: string; source: string; target: string; env: typeof ANVIL }> {
  const folder = program.dataFolder();
  const running = await program.start(folder, ANVIL);
  const customer = Customer.of(running.sandbox);
  const partner = new Customer(customer.api, running.sandbox['account-id']);
  await customer.fund(FUNDS);
  const {
    body: { order },
  } = await customer.accept(await customer.quote(FUNDS));
  expect(await customer.ended(order.id)).toMatchObject({ state: 'completed' });
  const { wallets } = await partner.api.get<Wallets>(partner.path('/wallets?assets=eth-base/brlv'));
  await customer.api.close();
  await running.stop();
  return { folder, source: running.sandbox['wallet-address'], target: wallets[0]?.address ?? '', env: ANVIL };
}

it.each(POINTS)('a transfer to another account is executed once when the process is killed %s', async (failpoint) => {
  const { folder, source, target, env } = await prepared();
  const body = { 'source-address': source, asset: 'eth-base/brlv', amount: SENT, 'target-address': target };
  const doomed = await program.start(folder, { ...env, PONTE_FAILPOINT: failpoint });
  const before = Customer.of(doomed.sandbox);
  await before.api
    .send('POST', before.path('/transfers'), body, { 'idempotency-key': 'the-one-transfer' })
    .catch(() => undefined);
  expect((await doomed.ended(DEATH_MS)).signal).toBe('SIGKILL');
  await before.api.close();

  const running = await program.start(folder, env);
  const customer = Customer.of(running.sandbox);
  const partner = new Customer(customer.api, running.sandbox['account-id']);
  const { transfer } = await until(
    async () =>
      succeeded(
        await customer.api.send<{ transfer: Transfer }>('POST', customer.path('/transfers'), body, {
          'idempotency-key': 'the-one-transfer',
        }),
      ),
    RETRY_MS,
  );
  await until(async () => {
    const { transfers } = await customer.api.get<{ transfers: Transfer[] }>(customer.path('/transfers'));
    expect(transfers.map(({ id, state }) => [id, state])).toEqual([[transfer.id, 'completed']]);
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
  for (const type of ['TransferCreated', 'TransferCompleted', 'TokenMovementPosted'])
    expect([type, ofType(log, type).length]).toEqual([type, 1]);
  expect(ofType<{ type: string }>(log, 'DepositCreated').filter(({ data }) => data.type === 'token')).toHaveLength(1);
});
