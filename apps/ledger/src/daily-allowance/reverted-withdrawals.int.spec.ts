import type { TokenWithdrawalOutcome } from '@ponte/contracts';
import { SettleTokenWithdrawal } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ASSET, FUNDS, tokenWithdrawalsOf, violationsOf } from '../testing/token-withdrawals';
import { failureOf } from '../withdrawal/withdrawal.failures';

const ledger = ledgerForEachTest({ booksBalance: true });
const { available, fund, withdraw } = tokenWithdrawalsOf(ledger);

beforeEach(async () => {
  jest.replaceProperty(ledger.settings, 'withdrawalLimits', { [ASSET]: { amount: FUNDS, count: 2 } });
  await fund();
});

/** Withdraws everything and settles the withdrawal with these outcomes. Returns its last state. */
async function withdrawn(...outcomes: readonly TokenWithdrawalOutcome[]): Promise<string> {
  const { id } = await withdraw('100');
  await eventually(async () => expect(await ledger.types(`withdrawal-${id}`)).toContain('WithdrawalProcessingStarted'));
  let last = '';
  for (const outcome of outcomes) last = (await ledger.ask(SettleTokenWithdrawal, { withdrawalId: id, outcome })).state;
  return last;
}
const SIGNED: TokenWithdrawalOutcome = { state: 'broadcast', txHash: `0x${'a'.repeat(64)}` };
const REVERTED: TokenWithdrawalOutcome = { state: 'failed', failure: failureOf('withdrawal-reverted') };

describe('A token withdrawal that is rolled back', () => {
  it('still counts if its transaction was signed, because that may have cost gas, but returns its amount', async () => {
    expect(await withdrawn(SIGNED, REVERTED)).toBe('rolled-back');
    expect(await withdrawn(SIGNED, REVERTED)).toBe('rolled-back');
    expect(await violationsOf(withdraw('100'))).toEqual(['limit-exceeded ']);
    expect(await available()).toBe(FUNDS);
  });

  it('does not count if its transaction was never signed', async () => {
    for (let time = 0; time < 3; time += 1)
      expect(await withdrawn({ state: 'failed', failure: failureOf('compliance') })).toBe('rolled-back');
    expect(await ledger.types('dailyAllowance-')).toHaveLength(6);
  });
});
