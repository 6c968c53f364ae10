import type { WithdrawalRecord } from '@ponte/contracts';
import { ListFailedReturns, holderIdOf, isBankCoordinates, isSealedFor, otherPayeeIdOf } from '@ponte/contracts';
import { Money } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { HOLDER_CPF, STRANGER_CPF } from '../testing/ledger-under-test';
import type { Payout } from './payouts.port';
import { paymentIdOf } from '../withdrawal/withdrawal.state';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

async function paid(amount: string, pixKey = STRANGER_CPF): Promise<WithdrawalRecord> {
  const { id } = await ledger.withdraw(amount, { pixKey });
  return eventually(async () => {
    await ledger.tick();
    const withdrawal = await ledger.withdrawal(id);
    if (withdrawal?.state !== 'completed') throw new Error(`the withdrawal is ${withdrawal?.state}`);
    return withdrawal;
  });
}
const sendBack = ({ id }: WithdrawalRecord, amount: string) => ledger.payouts.returnPayment(paymentIdOf(id), amount);
const returned = async () =>
  (await ledger.deposits())
    .filter(({ withdrawalId }) => withdrawalId !== null)
    .map(({ withdrawalId, amount, status }) => `${withdrawalId} ${amount} ${status}`)
    .sort();
const unallocated = async () =>
  (
    await ledger.ask(ListFailedReturns, {
      filters: { status: 'open', cause: 'unallocated' },
      page: { limit: 10, cursor: null, createdFrom: null, createdTo: null },
    })
  ).items
    .map(({ amount, reason }) => `${amount} ${reason}`)
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
    expect(await unallocated()).toEqual(['6.01 exceeds-payment']);
    await eventually(() => ledger.assertTrialBalance());
  });

  it('credits no part if the bank returns too much before the first part was read', async () => {
    const one = await paid('10.00');
    sendBack(one, '4.00');
    // The id of a return contains its minute.
    ledger.now += 60_000;
    sendBack(one, '6.01');
    for (let round = 0; round < 3; round += 1) await ledger.tick();
    expect(await returned()).toEqual([]);
    expect(await unallocated()).toEqual(['4.00 exceeds-payment', '6.01 exceeds-payment']);
    await eventually(() => ledger.assertTrialBalance());
  });
});

// The API and the webhooks mask the sender by the subject of its data.
it.each([
  ['the data of another payee under a subject of its own', STRANGER_CPF, true],
  ["the holder's data under the holder's subject", HOLDER_CPF, false],
])('A payment that comes back has %s', async (_case, pixKey, isOther) => {
  const one = await paid('10.00', pixKey);
  sendBack(one, '10.00');
  await credited([one, '10.00']);
  const { coordinates } = (await ledger.deposits()).find(({ withdrawalId }) => withdrawalId === one.id) ?? {};
  if (!coordinates || !isBankCoordinates(coordinates)) throw new Error('there is no deposit of a bank');
  const { sourceTaxId, sourceTaxIdFingerprint } = coordinates;
  expect(isSealedFor(otherPayeeIdOf(one.id), sourceTaxId)).toBe(isOther);
  expect(isSealedFor(holderIdOf(sourceTaxIdFingerprint), sourceTaxId)).toBe(!isOther);
});

describe('A payment that comes back although it may not', () => {
  /** Makes the bank list a returned payment, with this answer when it is read. */
  function claims(paymentId: string, answer: Partial<Payout>): void {
    const { payouts } = ledger;
    const returns = [{ returnId: `D${paymentId}`, amount: '7.00', returnedAt: new Date(ledger.now).toISOString() }];
    const payment = {
      paymentId,
      status: 'refused',
      refusal: 'bank-refused',
      amount: null,
      endToEndId: null,
      returns,
    } as const;
    const get = payouts.get.bind(payouts);
    jest
      .spyOn(payouts, 'get')
      .mockImplementation(async (id) => (id === paymentId ? { ...payment, ...answer } : get(id)));
    jest.spyOn(payouts, 'listReturned').mockResolvedValue({ ids: [paymentId], lastPage: true });
    const totals = payouts.totals();
    jest
      .spyOn(payouts, 'totals')
      .mockReturnValue({ ...totals, returned: totals.returned.plus(Money.parse('fiat/brl', '7.00')) });
  }
  const handled = (reason: string) =>
    eventually(async () => {
      await ledger.tick();
      expect(await unallocated()).toEqual([`7.00 ${reason}`]);
      await ledger.assertTrialBalance();
    });

  it('goes to suspense if the bank had refused it', async () => {
    ledger.payouts.fateOf = () => 'refused';
    const { id } = await ledger.withdraw('7.00', { pixKey: STRANGER_CPF });
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.withdrawal(id))?.state).toBe('rolled-back');
    });
    claims(paymentIdOf(id), {});
    await handled('payment-refused');
    expect((await ledger.balance()).available).toBe('1000.00');
  });

  it('goes to suspense if the account that made it was closed', async () => {
    const one = await paid('7.00');
    ledger.status.set(one.accountId, 'closed');
    sendBack(one, '7.00');
    await handled('account-closed');
    expect(await returned()).toEqual([]);
    expect((await ledger.balance()).running).toBe('993.00');
  });

  it('goes to suspense once if no withdrawal made it, and is counted, listed and logged', async () => {
    claims(paymentIdOf(ledger.freshId()), { status: 'completed', endToEndId: 'E1', refusal: null });
    await handled('unknown-payment');
    for (let round = 0; round < 3; round += 1) await ledger.tick();
    await handled('unknown-payment');
    const metric = ledger.engines.metrics.registry.getSingleMetric('ponte_unallocated_receipts');
    expect((await metric?.get())?.values[0]?.value).toBe(1);
    expect(ledger.lines.filter((line) => line.includes('no account may receive'))).toHaveLength(1);
    expect(await ledger.deposits()).toHaveLength(1);
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
