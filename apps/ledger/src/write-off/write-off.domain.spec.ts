import type { AmountOf } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { fold } from '@ponte/event-sourcing';
import type { LedgerAccountCommand } from '../ledger-account/ledger-account.commands';
import { ledgerAccount } from '../ledger-account/ledger-account.decider';
import { A, NOW, brl, deposit, holdFor, place } from '../ledger-account/ledger-account.testing';

const usdc = (amount: string): AmountOf => ({ asset: 'eth-base/usdc', amount });
const tokens = (amount: string): LedgerAccountCommand => ({
  ...{ kind: 'post-deposit', accountId: A, depositId: 'tokens', credit: usdc(amount), hold: null },
  ...{ from: 'external', now: NOW },
});
const writeOff = (...amounts: AmountOf[]): LedgerAccountCommand => ({
  ...{ kind: 'write-off', accountId: A, amounts, since: NOW, now: NOW },
});
const after = (...commands: LedgerAccountCommand[]) =>
  commands.reduce(
    (state, command) => fold(ledgerAccount, state, ledgerAccount.decide(command, state)),
    ledgerAccount.initial,
  );
function refused(...commands: LedgerAccountCommand[]): string {
  try {
    after(...commands);
  } catch (error) {
    if (error instanceof Refusal) return error.violations.map(({ code, message }) => `${code}: ${message}`).join();
    throw error;
  }
  return 'not refused';
}

describe('A write-off', () => {
  it('moves all that is left of the account to unclaimed, in one event', () => {
    const state = after(deposit('d', '0.01'), tokens('0.000001'));
    const [event, ...others] = ledgerAccount.decide(writeOff(brl('0.01'), usdc('0.000001')), state);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'BalanceWrittenOff',
      data: {
        debits: [brl('0.01'), usdc('0.000001')],
        postings: [
          { account: `customer:${A}`, asset: 'fiat/brl', amount: '-0.01' },
          { account: 'house:unclaimed', asset: 'fiat/brl', amount: '0.01' },
          { account: `customer:${A}`, asset: 'eth-base/usdc', amount: '-0.000001' },
          { account: 'house:unclaimed', asset: 'eth-base/usdc', amount: '0.000001' },
        ],
      },
    });
    expect(after(deposit('d', '0.01'), tokens('0.000001'), writeOff(brl('0.01'), usdc('0.000001'))).balances).toEqual({
      'fiat/brl': { running: 0n, held: 0n },
      'eth-base/usdc': { running: 0n, held: 0n },
    });
  });

  it('leaves a balance that is negative since the bank took a Pix back, and writes the others off', () => {
    const taken: LedgerAccountCommand = {
      ...{ kind: 'take-back-deposit', accountId: A, depositId: 'd', credit: brl('50.00'), credited: true, now: NOW },
    };
    const state = after(deposit('d', '0.01'), tokens('0.000001'), taken);
    expect(ledgerAccount.decide(writeOff(brl('0.01'), usdc('0.000001')), state)).toMatchObject([
      { type: 'BalanceWrittenOff', data: { debits: [usdc('0.000001')] } },
    ]);
    expect(ledgerAccount.decide(writeOff(brl('0.01')), state)).toEqual([]);
  });

  it('is posted once, whatever arrives afterwards', () => {
    const state = after(deposit('d', '0.01'), writeOff(brl('0.01')), deposit('late', '0.01'));
    expect(ledgerAccount.decide(writeOff(brl('0.01')), state)).toEqual([]);
  });

  it('writes nothing off unless each balance is exactly the one that was confirmed', () => {
    const wrong =
      'account-in-use: a write-off must be the whole balance, with nothing held: ' +
      'fiat/brl has 0.02, of which 0.00 is held, and the write-off names 0.01';
    expect(refused(deposit('d', '0.02'), tokens('0.000001'), writeOff(usdc('0.000001'), brl('0.01')))).toBe(wrong);
    expect(refused(deposit('d', '0.01'), writeOff(brl('0.02')))).toContain(
      'has 0.01, of which 0.00 is held, and the write-off names 0.02',
    );
    // An old state, before the deposit.
    expect(refused(writeOff(brl('0.01')))).toContain('has 0.00, of which 0.00 is held, and the write-off names 0.01');
    expect(refused(deposit('d', '0.01'), place(holdFor('o', '0.01')), writeOff(brl('0.01')))).toContain('0.01 is held');
    expect(refused(deposit('d', '0.01'), writeOff(brl('0.00')))).toContain('amount-below-minimum');
  });
});
