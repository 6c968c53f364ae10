import {
  ConfirmUsdDeposit,
  GetAnyDeposit,
  GetTrialBalance,
  LEDGER_TRANSIT_SUBJECT,
  ListFailedReturns,
  RecordUsdDeposit,
} from '@ponte/contracts';
import type { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';
import { FIRST_PAGE } from '../testing/reported-transfers';
import { paymentIdOf } from '../withdrawal/withdrawal.state';
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

const inSuspense = async () =>
  (await ledger.ask(ListFailedReturns, { filters: { status: null, cause: 'unallocated' }, page: FIRST_PAGE })).items;
const suspense = async (asset: string) =>
  (await ledger.ask(GetTrialBalance, { customers: false })).lines.find(
    (line) => line.account === 'house:suspense' && line.asset === asset,
  )?.amount;

/** USD that staff record and confirm while the account is frozen. */
async function recordedUsd() {
  const evidence = { bankReference: 'SWIFT-1', documentSha256: 'f'.repeat(64) };
  const coordinates = await ledger.engines.personalData.seal(
    LEDGER_TRANSIT_SUBJECT,
    JSON.stringify({ source: 'Bank of Ana', target: null }),
  );
  return ledger.ask(RecordUsdDeposit, {
    ...{ accountId: ACCOUNT, amount: '2500.00', staffId: 'first' },
    ...{ evidence, coordinates },
  });
}
async function confirmedUsd(): Promise<string> {
  ledger.status.set(ACCOUNT, 'frozen');
  const { id: depositId } = await recordedUsd();
  const confirmed = await ledger.ask(ConfirmUsdDeposit, { depositId, staffId: 'second' });
  expect(confirmed.status).toBe('confirmed');
  return depositId;
}

describe('Money that no payer sent, and that is confirmed when its account is closed', () => {
  it('goes to suspense if staff recorded it, once, and is never posted', async () => {
    const depositId = await confirmedUsd();
    ledger.status.set(ACCOUNT, 'closed');
    await eventually(async () => {
      await ledger.tick();
      expect(await inSuspense()).toMatchObject([
        { depositId, accountId: ACCOUNT, asset: 'fiat/usd', amount: '2500.00', reason: 'account-closed' },
      ]);
      expect(await suspense('fiat/usd')).toBe('2500.00');
      expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPostingBarred']);
    });
    expect(await ledger.ask(GetAnyDeposit, { depositId })).toMatchObject({
      ...{ status: 'voided', voidReason: 'account-not-active' },
    });
    await ledger.tick();
    const expected = ['DepositCreated', 'DepositConfirmed', 'DepositVoided', 'SuspensePosted'];
    expect(await ledger.types(`deposit-${depositId}`)).toEqual(expected);
  });

  it('is kept out of the balance although the first attempt fails right after it is in suspense', async () => {
    await confirmedUsd();
    const accounts = ledger.part(LedgerAccounts);
    const spy = jest.spyOn(accounts, 'execute').mockRejectedValueOnce(new Error('the process ends'));
    ledger.status.set(ACCOUNT, 'closed');
    await ledger.tick();
    await eventually(async () => expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPostingBarred']));
    spy.mockRestore();
  });

  it('cannot be recorded a second time with the same bank reference', async () => {
    const depositId = await confirmedUsd();
    ledger.status.set(ACCOUNT, 'closed');
    await eventually(async () => {
      await ledger.tick();
      expect(await inSuspense()).toHaveLength(1);
    });
    // Another account would get the money of this one.
    ledger.status.set(ACCOUNT, 'active');
    expect(await recordedUsd().catch((error: unknown) => (error as Refusal).code)).toMatchObject({ id: depositId });
  });

  it('goes to suspense if the bank returned a withdrawal of the account', async () => {
    await ledger.fund('100.00');
    const { id } = await ledger.withdraw('7.00', { pixKey: STRANGER_CPF });
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.withdrawal(id))?.state).toBe('completed');
    });
    ledger.status.set(ACCOUNT, 'frozen');
    ledger.payouts.returnPayment(paymentIdOf(id), '7.00');
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.deposits()).find((one) => one.withdrawalId === id)?.status).toBe('confirmed');
    });
    ledger.status.set(ACCOUNT, 'closed');
    await eventually(async () => {
      await ledger.tick();
      expect(await inSuspense()).toMatchObject([{ withdrawalId: id, amount: '7.00', reason: 'account-closed' }]);
      expect([(await ledger.balance()).running, await suspense('fiat/brl')]).toEqual(['93.00', '7.00']);
    });
  });
});
