import { setTimeout as sleep } from 'node:timers/promises';
import { trialBalanceOf, ofType, readLog } from '../testing/trial-balance';
import { Customer } from '../testing/customer';
import { tokenOnChain } from '../testing/on-chain';
import { ANVIL, CLUSTERED, Program, SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';

jest.setTimeout(4 * SUITE_MS);

interface Deposit {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
}

const ASSET = 'eth-base/usdc';
const SENT = 12.5;
const DEATH_MS = 60_000;
/** How long to wait for the kill after a deposit before another deposit is sent. */
const PATIENCE_MS = 5_000;
const MAX_DEPOSITS = 40;
/** The appends at which the process kills itself, in the order of the steps of a deposit from outside. */
const POINTS = [
  'before:IncomingTransfersSeen',
  'after:IncomingTransfersSeen',
  'before:DepositCreated',
  'after:DepositCreated',
  'before:IncomingTransfersConfirmed',
  'after:IncomingTransfersConfirmed',
  'before:DepositConfirmed',
  'after:DepositConfirmed',
  'before:IncomingTransfersFinalized',
  'after:IncomingTransfersFinalized',
  'before:DepositFinalized',
  'after:DepositFinalized',
  'before:DepositPosted',
  'after:DepositPosted',
  'before:DepositCredited',
  'after:DepositCredited',
] as const;

/**
 * Delays finality, because a block that is final at once is never seen as only confirmed. On the cluster a scan takes
 * longer than a fast block.
 */
const BLOCKS = { CHAIN_FINAL_AFTER: '3', ...(CLUSTERED ? { CHAIN_BLOCK_MS: '1000' } : {}) };

let program: Program;
beforeAll(async () => {
  program = await Program.build();
});
afterAll(() => program.close());

it.each(POINTS)('tokens from outside are credited once when the process is killed %s', async (failpoint) => {
  const folder = program.dataFolder();
  // Prepares the chain, the sandbox and its wallets before the failpoint is set.
  await (await program.start(folder, ANVIL)).stop();
  const doomed = await program.start(folder, { ...ANVIL, ...BLOCKS, PONTE_FAILPOINT: failpoint });
  const before = Customer.of(doomed.sandbox);
  const deposit = { 'account-id': before.accountId, type: 'token', asset: ASSET, amount: String(SENT) };
  const death = doomed.ended(DEATH_MS + MAX_DEPOSITS * PATIENCE_MS);
  let alive = true;
  void death.then(() => (alive = false));
  // A slow scan may still find a block that is already final, and such a deposit skips steps. So deposits are sent
  // until the failpoint is hit.
  for (let sent = 0; alive && sent < MAX_DEPOSITS; sent += 1) {
    await before.api.send('POST', '/api/v1/sandbox/deposits', deposit).catch(() => undefined);
    await Promise.race([death, sleep(PATIENCE_MS)]);
  }
  expect((await death).signal).toBe('SIGKILL');
  await before.api.close();

  const running = await program.start(folder, ANVIL);
  const customer = Customer.of(running.sandbox);
  const wallet = running.sandbox['wallet-address'];
  const onChain = Number(await tokenOnChain(folder, ASSET, wallet));
  expect(onChain).toBeGreaterThan(0);
  const { running: credited, available } = await until(async () => {
    const { deposits } = await customer.api.get<{ deposits: Deposit[] }>(customer.path('/assets/usdc/deposits'));
    expect(deposits.map(({ status, amount }) => [status, Number(amount)])).toEqual(
      Array.from({ length: onChain / SENT }, () => ['credited', SENT]),
    );
    return customer.balance('usdc');
  });
  expect([Number(credited), Number(available)]).toEqual([onChain, onChain]);
  await customer.api.close();
  await running.stop();
  const log = await readLog(folder);
  const { unbalancedAt, openHolds } = trialBalanceOf(log);
  expect({ unbalancedAt, openHolds }).toEqual({ unbalancedAt: null, openHolds: [] });
  for (const type of ['DepositCreated', 'DepositConfirmed', 'DepositFinalized', 'DepositPosted', 'DepositCredited'])
    expect([type, ofType(log, type).length]).toEqual([type, onChain / SENT]);
});
