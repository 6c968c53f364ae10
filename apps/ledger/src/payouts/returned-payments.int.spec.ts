import type { WithdrawalRecord } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { paymentIdOf } from '../withdrawal/withdrawal.state';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

async function paid(amount: string): Promise<WithdrawalRecord> {
  const { id } = await ledger.withdraw(amount, { pixKey: STRANGER_CPF });
  return eventually(async () => {
    await ledger.tick();
    const found = await ledger.withdrawal(id);
    if (found?.state !== 'completed') throw new Error(`the withdrawal is ${found?.state}`);
    return found;
  });
}
const sendBack = ({ id }: WithdrawalRecord, amount: string) => ledger.payouts.returnPayment(paymentIdOf(id), amount);
const returned = async () =>
  (await ledger.deposits())
    .filter(({ withdrawalId }) => withdrawalId !== null)
    .map(({ withdrawalId, amount, status }) => `${withdrawalId} ${amount} ${status}`)
    .sort();
const credited = (...expected: (readonly [WithdrawalRecord, string])[]) =>
  eventually(async () => {
    await ledger.tick();
    expect(await returned()).toEqual(expected.map(([{ id }, amount]) => `${id} ${amount} credited`).sort());
  });

describe('A payment that comes back in parts', () => {
  it('is a separate deposit for each part, once, until all of it is back', async () => {
    const one = await paid('10.00');
    sendBack(one, '4.00');
    await credited([one, '4.00']);
    sendBack(one, '6.00');
    await credited([one, '4.00'], [one, '6.00']);
    for (let round = 0; round < 3; round += 1) await ledger.tick();
    expect(await returned()).toHaveLength(2);
    expect((await ledger.balance()).running).toBe('1000.00');
    await eventually(() => ledger.assertTrialBalance());
  });

  it('keeps the credited parts if the bank then claims to return more than was paid', async () => {
    const one = await paid('10.00');
    sendBack(one, '4.00');
    await credited([one, '4.00']);
    sendBack(one, '6.01');
    for (let round = 0; round < 3; round += 1) await ledger.tick();
    expect(await returned()).toEqual([`${one.id} 4.00 credited`]);
    expect((await ledger.balance()).running).toBe('994.00');
    expect(ledger.lines.join()).toContain('the bank returned more than was paid');
  });
});

describe('Payments that come back on several pages of the list', () => {
  /** Makes the bank list one payment per page. */
  function onePerPage(): void {
    const { payouts } = ledger;
    const list = payouts.listReturned.bind(payouts);
    jest.spyOn(payouts, 'listReturned').mockImplementation(async ({ from, to, page }) => {
      const { ids } = await list({ from, to, page: 0 });
      return { ids: ids.slice(page, page + 1), lastPage: page + 1 >= ids.length };
    });
  }

  it('become deposits, whichever page they are on', async () => {
    const all = [await paid('1.00'), await paid('2.00'), await paid('3.00')];
    onePerPage();
    for (const one of all) sendBack(one, '0.50');
    await credited(...all.map((one) => [one, '0.50'] as const));
  });

  it('are read again in the whole window if one of them could not be read', async () => {
    const all = [await paid('1.00'), await paid('2.00')];
    onePerPage();
    for (const one of all) sendBack(one, '0.50');
    const [first] = all.map(({ id }) => paymentIdOf(id));
    let failures = 0;
    ledger.payouts.readTimesOut = (paymentId) => paymentId === first && (failures += 1) <= 2;
    await expect(ledger.tick()).rejects.toThrow();
    await eventually(async () => expect((await returned()).join()).toContain(`${all[1]?.id} 0.50`));
    await eventually(() => ledger.tick());
    await credited(...all.map((one) => [one, '0.50'] as const));
  });
});
