import type { TokenWithdrawalOutcome } from '@ponte/contracts';
import { SettleTokenWithdrawal } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { CLEAN_ADDRESS, fundTokens } from '../testing/fund-tokens';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { failureOf } from '../withdrawal/withdrawal.failures';

const ledger = ledgerForEachTest({ booksBalance: true });
const asset = 'eth-base/brlv';
const FUNDS = '100.000000000000000000';

beforeEach(async () => {
  jest.replaceProperty(ledger.settings, 'withdrawalLimits', { [asset]: { amount: FUNDS, count: 2 } });
  await fundTokens(ledger);
  await eventually(async () => expect((await ledger.balance(asset)).available).toBe(FUNDS));
});

/** Withdraws everything and settles the withdrawal with these outcomes. Returns its last state. */
async function withdrawn(...outcomes: readonly TokenWithdrawalOutcome[]): Promise<string> {
  const target = { destinationWalletAddress: CLEAN_ADDRESS };
  const { id } = await ledger.withdraw('100', target, { asset, method: 'token' });
  await eventually(async () => expect(await ledger.types(`withdrawal-${id}`)).toContain('WithdrawalProcessingStarted'));
  let last = '';
  for (const outcome of outcomes) last = (await ledger.ask(SettleTokenWithdrawal, { withdrawalId: id, outcome })).state;
  return last;
}
const codeOf = (attempt: Promise<string>): Promise<string> =>
  attempt.catch((error: unknown) => {
    if (error instanceof Refusal) return error.code;
    throw error;
  });

const SIGNED: TokenWithdrawalOutcome = { state: 'broadcast', txHash: `0x${'a'.repeat(64)}` };
const REVERTED: TokenWithdrawalOutcome = { state: 'failed', failure: failureOf('withdrawal-reverted') };

describe('A token withdrawal that is rolled back', () => {
  it('still counts if its transaction was signed, because that may have cost gas, but returns its amount', async () => {
    expect(await withdrawn(SIGNED, REVERTED)).toBe('rolled-back');
    expect(await withdrawn(SIGNED, REVERTED)).toBe('rolled-back');
    expect(await codeOf(withdrawn(SIGNED))).toBe('limit-exceeded');
    expect((await ledger.balance(asset)).available).toBe(FUNDS);
  });

  it('does not count if its transaction was never signed', async () => {
    for (let time = 0; time < 3; time += 1)
      expect(await withdrawn({ state: 'failed', failure: failureOf('compliance') })).toBe('rolled-back');
    expect(await ledger.types('dailyAllowance-')).toHaveLength(6);
  });
});
