import { eventually } from '@ponte/testing';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';
import { depositIdOf } from './deposit.state';

const ledger = ledgerForEachTest({ booksBalance: true });

const types = (endToEndId: string) => ledger.types(`deposit-${depositIdOf(endToEndId)}`);
const RETURNED = ['DepositCreated', 'DepositConfirmed', 'DepositVoided', 'DepositReturned'];

/** A payment that is confirmed while its account is frozen, just before the account is closed. */
async function confirmedBeforeClosing(): Promise<string> {
  ledger.status.set(ACCOUNT, 'frozen');
  const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '50.00');
  await eventually(async () => expect(await types(endToEndId)).toEqual(['DepositCreated', 'DepositConfirmed']));
  ledger.status.set(ACCOUNT, 'closed');
  return endToEndId;
}
const post = (endToEndId: string) => {
  const [depositId, credit] = [depositIdOf(endToEndId), { asset: 'fiat/brl', amount: '50.00' } as const];
  return ledger
    .part(LedgerAccounts)
    .execute(
      ACCOUNT,
      (now) => ({ kind: 'post-deposit', accountId: ACCOUNT, depositId, credit, hold: null, now }),
      ledger.context(),
    );
};
const empty = { running: '0.00', available: '0.00', held: '0.00' };

describe('A payment that is confirmed when its account is closed', () => {
  it('is returned to its payer and never posted', async () => {
    const endToEndId = await confirmedBeforeClosing();
    await eventually(async () => {
      await ledger.tick();
      expect(await types(endToEndId)).toEqual(RETURNED);
    });
    await post(endToEndId);
    await ledger.tick();
    expect([await ledger.balance(), await types(endToEndId)]).toEqual([empty, RETURNED]);
    expect(ledger.bank.totals().returned.toString()).toBe('50.00');
  });

  it('leaves nothing in the account if another process posts it at that moment', async () => {
    const endToEndId = await confirmedBeforeClosing();
    const accounts = ledger.part(LedgerAccounts);
    const real = accounts.execute.bind(accounts);
    const spy = jest.spyOn(accounts, 'execute').mockImplementationOnce(async (...step) => {
      await post(endToEndId);
      return real(...step);
    });
    await eventually(async () => {
      await ledger.tick();
      expect(await types(endToEndId)).toEqual(RETURNED);
    });
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPosted', 'DepositReversed']);
    expect(await ledger.balance()).toEqual(empty);
    spy.mockRestore();
  });

  it('is credited if it was posted before', async () => {
    const endToEndId = await confirmedBeforeClosing();
    await post(endToEndId);
    await eventually(async () => {
      await ledger.tick();
      expect(await types(endToEndId)).toEqual(['DepositCreated', 'DepositConfirmed', 'DepositCredited']);
    });
  });
});
