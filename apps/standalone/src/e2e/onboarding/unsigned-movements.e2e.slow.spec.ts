import { freezeAccount } from '../order-attacks/testing/account-standing';
import { succeeded } from '../testing/client';
import { SIMULATED, SUITE_MS } from '../testing/program';
import { SandboxSuite } from '../testing/sandbox-suite';
import type { Withdrawal } from '../testing/transfers';
import { brlv, OUTSIDE, Transfers } from '../testing/transfers';
import { until } from '../testing/waiting';

jest.setTimeout(SUITE_MS);

/** The mint and the first transfer use up the hour, so that later transactions wait unsigned. */
const LIMITS = { 'eth-base/brlv': { transaction: '60', hour: '100' } };
const ENV = { ...SIMULATED, SIGNER_LIMITS: JSON.stringify(LIMITS) };

let suite: SandboxSuite;
beforeAll(async () => {
  suite = await SandboxSuite.start(ENV);
});
afterAll(() => suite.close());

it('an operator ends the movements of a frozen account that wait unsigned: their funds are in its balance again', async () => {
  const { customer, program, running } = suite;
  const transfers = new Transfers(customer, suite.wallet);
  const send = async (amount: number) =>
    succeeded(await transfers.send({ amount: brlv(amount), 'target-address': OUTSIDE })).transfer.id;
  const withdrawal = (id: string) => customer.api.get<Withdrawal>(customer.path(`/withdrawals/${id}`));
  const endUnsigned = () =>
    program.verb(
      ['admin', 'movements', 'end-unsigned', customer.accountId, '--reason', 'ticket 4711'],
      running.dataDirectory,
      ENV,
    );

  await customer.fund('60.00');
  const { order } = (await customer.accept(await customer.quote('60.00'))).body;
  expect(await customer.ended(order.id)).toMatchObject({ state: 'completed' });
  expect(await transfers.ended(await send(40))).toMatchObject({ state: 'completed' });
  const waiting = await send(5);
  const body = { asset: 'eth-base/brlv', method: 'token', amount: brlv(3), 'destination-wallet-address': OUTSIDE };
  const { id: withdrawn } = succeeded(
    await customer.api.persist<{ withdrawal: Withdrawal }>(customer.path('/withdrawals'), body),
  ).withdrawal;
  await until(async () => expect((await withdrawal(withdrawn)).state).toBe('processing'));
  expect(await endUnsigned()).toMatchObject({
    code: 1,
    output: expect.stringContaining(`account ${customer.accountId} is active, not frozen`) as unknown,
  });
  await freezeAccount(running.sandbox, customer.accountId);
  expect((await customer.balance('brlv')).held).toBe(brlv(8));

  const { code, output } = await endUnsigned();
  expect([code, output]).toEqual([0, expect.stringContaining(`transfer ${waiting} is given up`)]);
  expect(output).toContain(`withdrawal ${withdrawn} is given up`);
  const failure = { code: 'account-not-active' };
  expect(await transfers.ended(waiting)).toMatchObject({ state: 'failed', failure });
  await until(async () => expect(await withdrawal(withdrawn)).toMatchObject({ state: 'rolled-back', failure }));
  await until(async () =>
    expect(await customer.balance('brlv')).toEqual({ running: brlv(20), available: brlv(20), held: brlv(0) }),
  );
  await until(async () =>
    expect((await endUnsigned()).output).toContain('has no open transfer, NFT transfer or token withdrawal'),
  );
});
