import type { FreezeReason } from '@ponte/contracts';
import { ListDueReturns, ReturnChargePayment } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { depositIdOf, returnIdOf } from '../deposit/deposit.state';
import { Deposits } from '../deposit/deposits.repository';
import { RailTimedOut } from '../pix-charge/pix-charges.port';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';

const DAY_MS = 24 * 3_600_000;
const ledger = ledgerForEachTest({ booksBalance: true });
afterEach(() => jest.restoreAllMocks());

/** Pays the charge of an order with a wrong amount, by default as the holder. */
let mispaid: (payer?: string) => Promise<string>;
beforeEach(async () => {
  const { brcode } = await (await ledger.charge('order-1')).open();
  mispaid = async (payer) => (await ledger.pay(brcode, '49.99', payer)).endToEndId;
});

const stand = (status: 'active' | 'frozen' | 'closed', ...reasons: FreezeReason[]) => {
  ledger.status.set(ACCOUNT, status);
  ledger.freezeReasons.set(ACCOUNT, reasons);
};
const types = (endToEndId: string) => ledger.types(`deposit-${depositIdOf(endToEndId)}`);
const has = (endToEndId: string, ...expected: string[]) =>
  eventually(async () => expect(await types(endToEndId)).toEqual(expected));
const blockedDays = async () =>
  Number(
    (await ledger.engines.metrics.registry.getSingleMetric('ponte_blocked_return_oldest_seconds')?.get())?.values[0]
      ?.value,
  ) /
  (DAY_MS / 1_000);
const stuckSeconds = async () =>
  (await ledger.engines.metrics.registry.getSingleMetric('ponte_return_oldest_seconds')?.get())?.values[0]?.value;
const listed = async () => (await ledger.ask(ListDueReturns, { accountId: ACCOUNT, limit: 5 })).items;
const returned = () => ledger.bank.totals().returned.toString();
const BLOCKED = ['DepositCreated', 'DepositVoided', 'DepositReturnBlocked'];
const RETURNED = [...BLOCKED, 'DepositReturnUnblocked', 'DepositReturned'];

/** A payment that was held for its order before the account is frozen. */
async function held(): Promise<{ endToEndId: string; txid: string }> {
  const charge = await ledger.charge('order-2');
  const { brcode } = await charge.open();
  const { endToEndId } = await ledger.pay(brcode);
  await eventually(async () => expect(await ledger.outcome(charge.txid)).toMatchObject({ state: 'paid' }));
  return { endToEndId, txid: charge.txid };
}

describe('A payment by the holder that goes back, of an account that is frozen', () => {
  it.each(['sanctions', 'fraud-suspected', 'court-order', 'compliance'] as const)(
    'for %s, is returned only after the release',
    async (reason) => {
      stand('frozen', 'closing', reason);
      const endToEndId = await mispaid();
      await has(endToEndId, ...BLOCKED);
      ledger.now += 40 * DAY_MS;
      const requests = jest.spyOn(ledger.bank, 'requestReturn');
      const reads = jest.spyOn(ledger.bank, 'getReturn');
      for (let round = 0; round < 2; round += 1) await ledger.tick();
      expect([await types(endToEndId), requests.mock.calls, reads.mock.calls, returned()]).toEqual([
        ...[BLOCKED, [], [], '0.00'],
      ]);
      await eventually(async () =>
        expect([await blockedDays(), await stuckSeconds()]).toEqual([expect.closeTo(40, 1), 0]),
      );
      expect(await listed()).toEqual([{ id: depositIdOf(endToEndId) }]);
      stand('active');
      await ledger.tick();
      await has(endToEndId, ...RETURNED);
      expect(returned()).toBe('49.99');
      await eventually(async () => expect(await listed()).toEqual([]));
      await eventually(async () => expect(await blockedDays()).toBe(0));
    },
  );

  it.each(['closing', 'account-takeover', 'pix-taken-back'] as const)('for %s, is returned at once', async (reason) => {
    stand('frozen', reason);
    await ledger.voided(await mispaid(), 'amount-mismatch');
  });

  it('is blocked if it was held for an order that needs it no longer', async () => {
    const { endToEndId, txid } = await held();
    stand('frozen', 'court-order');
    await ledger.ask(ReturnChargePayment, { txid, reason: 'order-rolled-back' });
    const credited = ['DepositCreated', 'DepositConfirmed', 'DepositCredited', 'DepositReturnRequested'];
    await has(endToEndId, ...credited, 'DepositReturnBlocked');
    expect((await ledger.balance()).held).toBe('0.00');
    stand('active');
    await ledger.tick();
    await has(endToEndId, ...credited, ...RETURNED.slice(2));
    expect(returned()).toBe('50.00');
  });

  it('is blocked again if the account is frozen again before the bank has executed the return', async () => {
    stand('frozen', 'sanctions');
    const endToEndId = await mispaid();
    await has(endToEndId, ...BLOCKED);
    ledger.now += 40 * DAY_MS;
    stand('active');
    jest.spyOn(ledger.bank, 'requestReturn').mockRejectedValue(new RailTimedOut('requestReturn'));
    await ledger.tick();
    await has(endToEndId, ...BLOCKED, 'DepositReturnUnblocked');
    jest.restoreAllMocks();
    // It counts from the release.
    ledger.now += DAY_MS / 2;
    await eventually(async () => expect(Number(await stuckSeconds()) / 3_600).toBeCloseTo(12, 1));
    stand('frozen', 'sanctions');
    await ledger.tick();
    await has(endToEndId, ...BLOCKED, 'DepositReturnUnblocked', 'DepositReturnBlocked');
    stand('active');
    await ledger.tick();
    await has(endToEndId, ...BLOCKED, 'DepositReturnUnblocked', 'DepositReturnBlocked', ...RETURNED.slice(3));
  });

  it('ends without a return if the bank takes it back', async () => {
    stand('frozen', 'sanctions');
    const endToEndId = await mispaid();
    await has(endToEndId, ...BLOCKED);
    ledger.now += DAY_MS;
    await eventually(async () => expect(await blockedDays()).toBeCloseTo(1, 1));
    await ledger.takeBack(endToEndId);
    await has(endToEndId, ...BLOCKED, 'DepositReturned');
    await eventually(async () => expect(await blockedDays()).toBe(0));
    stand('active');
    ledger.now += 2 * DAY_MS;
    await ledger.tick();
    expect(returned()).toBe('49.99');
    expect(await types(endToEndId)).not.toContain('DoubleReturnPosted');
  });

  it('is not requested if the bank takes it back while it is unblocked', async () => {
    stand('frozen', 'sanctions');
    const endToEndId = await mispaid();
    await has(endToEndId, ...BLOCKED);
    stand('active');
    const deposits = ledger.part(Deposits);
    const execute = deposits.execute.bind(deposits);
    jest.spyOn(deposits, 'execute').mockImplementationOnce(async (...unblocking) => {
      await ledger.takeBack(endToEndId);
      await has(endToEndId, ...BLOCKED, 'DepositReturned');
      return execute(...unblocking);
    });
    const requests = jest.spyOn(ledger.bank, 'requestReturn');
    await ledger.tick();
    expect([requests.mock.calls, await types(endToEndId)]).toEqual([[], [...BLOCKED, 'DepositReturned']]);
  });

  it('is returned after the account was closed', async () => {
    stand('frozen', 'compliance');
    const endToEndId = await mispaid();
    await has(endToEndId, ...BLOCKED);
    stand('closed', 'compliance');
    await ledger.tick();
    await has(endToEndId, ...RETURNED);
  });

  it('is recorded as returned if the bank was executing the return when the account was frozen', async () => {
    ledger.bank.misbehaviour.returns = 'processing';
    const requested = jest.spyOn(ledger.bank, 'requestReturn');
    const endToEndId = await mispaid();
    await eventually(() => expect(requested).toHaveBeenCalled());
    await has(endToEndId, 'DepositCreated', 'DepositVoided');
    stand('frozen', 'sanctions');
    const answer = { returnId: returnIdOf(depositIdOf(endToEndId), 1), status: 'processing' } as const;
    jest.spyOn(ledger.bank, 'getReturn').mockResolvedValueOnce({ ...answer, amount: null, bankReturnId: null });
    await ledger.tick();
    await has(endToEndId, 'DepositCreated', 'DepositVoided');
    // A closing of the account would end the freeze before the bank has said what it did.
    expect(await listed()).toEqual([{ id: depositIdOf(endToEndId) }]);
    await ledger.tick();
    await has(endToEndId, 'DepositCreated', 'DepositVoided', 'DepositReturned');
    await eventually(async () => expect(await listed()).toEqual([]));
  });
});

describe('A payment by another payer, of an account that is frozen for sanctions', () => {
  it('is returned at once, because it is not the money of the account', async () => {
    stand('frozen', 'sanctions');
    await ledger.voided(await mispaid(STRANGER_CPF), 'payer-tax-id-mismatch');
  });
});
