import type { FailedReturnFilters } from '@ponte/contracts';
import { ListFailedReturns } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';
import { MAX_RETURNS, depositIdOf } from '../deposit/deposit.state';

const ledger = ledgerForEachTest({ booksBalance: true });

const failedReturns = async (filters: Partial<FailedReturnFilters> = {}, limit = 10) =>
  (
    await ledger.ask(ListFailedReturns, {
      filters: { status: null, cause: null, ...filters },
      page: { limit, cursor: null, createdFrom: null, createdTo: null },
    })
  ).items;
const measured = async () =>
  (await ledger.engines.metrics.registry.getSingleMetric('ponte_failed_returns')?.get())?.values[0]?.value;
const ticksUntil = (work: () => Promise<void>) =>
  eventually(async () => {
    await ledger.tick();
    await work();
  });

describe('A return that the bank refuses', () => {
  it('permanently is counted, and listed for staff with what they need to pay it back', async () => {
    expect(await measured()).toBe(0);
    ledger.bank.misbehaviour.returns = 'not-carried-out';
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '8.00', STRANGER_CPF);
    await ticksUntil(async () => expect(await measured()).toBe(1));
    const failures = (await ledger.events(`deposit-${depositIdOf(endToEndId)}`)).filter(
      ({ type }) => type === 'DepositReturnFailed',
    );
    expect(failures).toHaveLength(MAX_RETURNS);
    expect(await failedReturns()).toEqual([
      {
        depositId: depositIdOf(endToEndId),
        cause: 'return-refused',
        status: 'open',
        accountId: ACCOUNT,
        withdrawalId: null,
        type: 'pix',
        asset: 'fiat/brl',
        amount: '8.00',
        endToEndId,
        reason: 'payer-tax-id-mismatch',
        attempts: MAX_RETURNS,
        failedAt: (failures.at(-1)?.data as { failedAt: string }).failedAt,
        settlement: null,
        sending: null,
        sendingFailure: null,
        settledAt: null,
      },
    ]);
    expect(ledger.lines.join()).toContain('the bank refused a return permanently: staff must handle it');
  });

  it('permanently is in suspense once, even when the bank is polled again and the ledger restarts', async () => {
    ledger.bank.misbehaviour.returns = 'not-carried-out';
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '8.00', STRANGER_CPF);
    await ticksUntil(async () => expect(await measured()).toBe(1));
    await ledger.stop();
    await ledger.boot();
    for (let round = 0; round < 3; round += 1) await ledger.tick();
    const types = await ledger.types(`deposit-${depositIdOf(endToEndId)}`);
    expect(types.filter((type) => type === 'SuspensePosted')).toHaveLength(1);
    expect(types.at(-1)).toBe('SuspensePosted');
  });

  it('permanently is listed even if the payment named no account and is in no list of deposits', async () => {
    ledger.bank.misbehaviour.returns = 'not-carried-out';
    const { tedId } = await ledger.teds.pay({
      reference: ledger.freshId(),
      identifier: '',
      amount: '50.00',
      payer: {
        ...{ taxId: STRANGER_CPF, legalName: 'Ana Secret', bankCode: '00000000', branchCode: '1584' },
        ...{ accountNumber: '210169-6', accountType: 'checking' },
      },
    });
    const { teds } = ledger as unknown as { teds: { sendBack: (id: string, returnId: string) => Promise<unknown> } };
    jest.spyOn(teds, 'sendBack').mockImplementation(async (_id, returnId) => ({
      ...{ returnId, status: 'not-carried-out', amount: null, bankReturnId: null },
    }));
    await ticksUntil(async () => expect(await failedReturns()).toHaveLength(1));
    expect(await failedReturns()).toMatchObject([
      { type: 'ted', accountId: null, endToEndId: tedId, reason: 'unknown-target' },
    ]);
    expect(JSON.stringify(await failedReturns())).not.toContain('Secret');
    expect(await ledger.deposits()).toEqual([]);
  });

  it('permanently leaves suspense when the bank takes the payment back itself', async () => {
    ledger.bank.misbehaviour.returns = 'not-carried-out';
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '8.00', STRANGER_CPF);
    await ticksUntil(async () => expect(await measured()).toBe(1));
    await ledger.takeBack(endToEndId);
    await ticksUntil(async () => expect(await measured()).toBe(0));
    expect(await failedReturns()).toMatchObject([{ status: 'settled', settlement: null }]);
  });

  it('is not tried again once the bank takes the payment back itself', async () => {
    ledger.bank.misbehaviour.returns = 'not-carried-out';
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '8.00', STRANGER_CPF);
    const stream = `deposit-${depositIdOf(endToEndId)}`;
    await ticksUntil(async () => expect(await ledger.types(stream)).toContain('DepositReturnFailed'));
    await ledger.takeBack(endToEndId);
    await ticksUntil(async () => expect((await ledger.types(stream)).at(-1)).toBe('DepositReturned'));
    expect([await measured(), await failedReturns()]).toEqual([0, []]);
  });

  it('but executes at a later attempt is neither counted nor listed', async () => {
    ledger.bank.misbehaviour.returns = 'not-carried-out';
    const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '8.00', STRANGER_CPF);
    await ticksUntil(async () =>
      expect(await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).toContain('DepositReturnFailed'),
    );
    ledger.bank.misbehaviour.returns = 'prompt';
    await ticksUntil(async () =>
      expect(await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).toContain('DepositReturned'),
    );
    expect([await measured(), await failedReturns()]).toEqual([0, []]);
  });
});
