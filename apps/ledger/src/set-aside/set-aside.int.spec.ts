import 'reflect-metadata';
import {
  ConfirmSetAside,
  GetAnyDeposit,
  GetTrialBalance,
  GetUncreditedTokens,
  ListFailedReturns,
  RejectSetAside,
  RequestSetAside,
} from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';
import { FIRST_PAGE, ReportedTransfers, confirmed, depositIdOf, final, seen } from '../testing/reported-transfers';

const ledger = ledgerForEachTest({ booksBalance: true });
let tokens: ReportedTransfers;
beforeEach(() => {
  tokens = new ReportedTransfers(ledger);
});

const ID = depositIdOf('a');
const FIVE = [{ asset: 'eth-base/usdc', amount: '5.000000' }];
const request = (staffId = 'first', depositId = ID) => ledger.ask(RequestSetAside, { depositId, staffId });
const confirm = (staffId = 'second', number = 1) =>
  ledger.ask(ConfirmSetAside, { depositId: ID, request: number, staffId });
const reject = (staffId = 'second', number = 1) =>
  ledger.ask(RejectSetAside, { depositId: ID, request: number, staffId });
const code = (response: Promise<unknown>) =>
  response.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
  );
const line = async (name: string) =>
  (await ledger.ask(GetTrialBalance, { customers: false })).lines.find(
    ({ account, asset }) => account === `house:${name}` && asset === 'eth-base/usdc',
  )?.amount;
const listed = async () =>
  (await ledger.ask(ListFailedReturns, { filters: { status: 'open', cause: 'set-aside' }, page: FIRST_PAGE })).items;
const metric = async () =>
  (await ledger.engines.metrics.registry.getSingleMetric('ponte_set_aside_deposits')?.get())?.values[0]?.value;

/** Tokens that are confirmed and final, and wait because the account is closed. */
async function waiting(): Promise<void> {
  ledger.status.set(ACCOUNT, 'closed');
  await tokens.report(seen('a'));
  await tokens.report(final('a'));
  await eventually(async () =>
    expect(await ledger.types(`deposit-${ID}`)).toEqual(['DepositCreated', 'DepositConfirmed', 'DepositFinalized']),
  );
}
const post = () =>
  ledger.part(LedgerAccounts).execute(
    ACCOUNT,
    (now) => ({
      ...{ kind: 'post-deposit', accountId: ACCOUNT, depositId: ID, hold: null, from: 'external', now },
      credit: { asset: 'eth-base/usdc', amount: '5.000000' },
    }),
    ledger.context(),
  );

describe('Tokens that arrive at a closed account', () => {
  it('are set aside by two staff members: in suspense and in no balance, and never credited', async () => {
    await waiting();
    await ledger.tick();
    expect(await request()).toMatchObject({ status: 'confirmed', setAside: { request: 1, requestedBy: 'first' } });
    expect(await code(confirm('first'))).toBe('second-member-required');
    expect(await confirm()).toMatchObject({ status: 'voided', voidReason: 'account-not-active' });
    await eventually(async () => {
      expect([await line('suspense'), await line('external')]).toEqual(['5.000000', '-5.000000']);
      expect((await listed()).map(({ depositId, reason }) => [depositId, reason])).toEqual([[ID, 'account-closed']]);
      expect([await metric(), await tokens.running()]).toEqual([1, '0.000000']);
      // The books have them now, so they are not expected in the wallets a second time.
      expect(await ledger.ask(GetUncreditedTokens, {})).toEqual({ amounts: [], final: [], refused: [] });
      expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPostingBarred']);
    });
    await post();
    await ledger.tick();
    expect([await tokens.running(), await ledger.types('ledgerAccount-')]).toEqual([
      '0.000000',
      ['DepositPostingBarred'],
    ]);
  });

  it('are set aside once, however often the request is confirmed, even at the same time', async () => {
    await waiting();
    await request();
    await Promise.all(['second', 'third', 'second'].map((staffId) => confirm(staffId)));
    await ledger.stop();
    await ledger.boot();
    await confirm();
    await ledger.tick();
    const types = await ledger.types(`deposit-${ID}`);
    expect(types.slice(-2)).toEqual(['DepositVoided', 'SuspensePosted']);
    expect(types.filter((type) => type === 'SuspensePosted')).toHaveLength(1);
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPostingBarred']);
  });

  it('stay confirmed when the request is rejected', async () => {
    await waiting();
    await request();
    expect(await reject()).not.toHaveProperty('setAside');
    expect(await code(confirm())).toBe('set-aside-not-pending');
    expect(await request('second')).toMatchObject({ setAside: { request: 2 } });
    expect((await ledger.ask(GetUncreditedTokens, {})).final).toEqual(FIVE);
  });

  it('are not set aside if the account is only frozen, or if their block is not final', async () => {
    ledger.status.set(ACCOUNT, 'frozen');
    await tokens.report(seen('a'));
    await tokens.report(confirmed('a'));
    await eventually(async () => expect(await tokens.statuses()).toEqual({ [ID]: 'confirmed' }));
    expect(await code(request())).toBe('deposit-not-waiting');
    await tokens.report(final('a'));
    await eventually(async () => expect(await ledger.types(`deposit-${ID}`)).toContain('DepositFinalized'));
    expect(await code(request())).toBe('account-not-closed');
    ledger.status.set(ACCOUNT, 'closed');
    await request();
    ledger.status.set(ACCOUNT, 'active');
    expect(await code(confirm())).toBe('account-not-closed');
    expect(await code(request('first', depositIdOf('none')))).toBe('deposit-not-found');
  });

  it('are credited instead if they were posted before the account was closed', async () => {
    await waiting();
    await request();
    await post();
    expect(await code(confirm())).toBe('deposit-not-waiting');
    expect((await ledger.ask(GetAnyDeposit, { depositId: ID }))?.status).toBe('credited');
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPosted']);
  });

  it('leave nothing in the balance if another process posts them at that moment', async () => {
    await waiting();
    await request();
    const accounts = ledger.part(LedgerAccounts);
    const real = accounts.execute.bind(accounts);
    const spy = jest.spyOn(accounts, 'execute').mockImplementationOnce(async (...step) => {
      await post();
      return real(...step);
    });
    await confirm();
    spy.mockRestore();
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPosted', 'DepositReversed']);
    expect(await tokens.running()).toBe('0.000000');
    await eventually(async () =>
      expect([await line('suspense'), await line('external')]).toEqual(['5.000000', '-5.000000']),
    );
  });

  it('are kept out of the balance although the first attempt fails right after they are in suspense', async () => {
    await waiting();
    await request();
    const accounts = ledger.part(LedgerAccounts);
    // The first attempt is that of the confirmation or of the policy.
    const spy = jest.spyOn(accounts, 'execute').mockRejectedValueOnce(new Error('the process ends'));
    await confirm().catch(() => undefined);
    await eventually(async () => expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPostingBarred']));
    spy.mockRestore();
  });
});
