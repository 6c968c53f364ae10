import type { WithdrawalRecord } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { WithdrawalFunds } from '../withdrawal/withdrawal-funds.service';

const AMOUNTS = ['10.00', '20.00', '30.00', '40.00'];
const WAYS = [{ soleWriter: true }, { soleWriter: false }];

describe.each(WAYS)('Withdrawal requests under one idempotency key at once, over a store with %j', (way) => {
  const ledger = ledgerForEachTest(way);

  it('make one withdrawal, and refuse the requests with another amount', async () => {
    await ledger.fund('1000.00');
    let heldAmount = 0;
    for (let key = 0; key < 10; key += 1) {
      const withdrawalId = ledger.freshId();
      const answers = await Promise.allSettled(
        AMOUNTS.map((amount) =>
          ledger.withdraw(amount, { pixKey: STRANGER_CPF }, { withdrawalId, keyHash: 'k', bodyHash: amount }),
        ),
      );
      const made = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
      expect(refused.map((error) => (error instanceof Refusal ? error.code : String(error)))).toEqual(
        Array.from({ length: AMOUNTS.length - 1 }, () => 'idempotency-key-reused'),
      );
      heldAmount += made.reduce((sum, { amount }: WithdrawalRecord) => sum + Number(amount), 0);
    }
    const { running, held: stillHeld } = await ledger.balance();
    expect(1_000 - Number(running) + Number(stillHeld)).toBe(heldAmount);
  });

  it('leave only the share of the withdrawal in the daily limit if one of them claims it after another was made', async () => {
    await ledger.fund('1000.00');
    jest.replaceProperty(ledger.settings, 'withdrawalLimits', { 'fiat/brl': { amount: '100.00', count: 2 } });
    const scope = { withdrawalId: ledger.freshId(), keyHash: 'k' };
    const request = (amount: string) =>
      ledger.withdraw(amount, { pixKey: STRANGER_CPF }, { ...scope, bodyHash: amount });
    const funds = ledger.part(WithdrawalFunds);
    const claim = funds.claim.bind(funds);
    let other: Promise<WithdrawalRecord> | undefined;
    const slow = jest.spyOn(funds, 'claim').mockImplementation(async (...args) => {
      if (!other) await (other = request('20.00'));
      return claim(...args);
    });
    await expect(request('60.00')).rejects.toMatchObject({ code: 'idempotency-key-reused' });
    slow.mockRestore();
    expect(await other).toMatchObject({ amount: '20.00' });
    await expect(ledger.withdraw('80.01', { pixKey: STRANGER_CPF })).rejects.toThrow('80.00 of it is left');
    await ledger.withdraw('80.00', { pixKey: STRANGER_CPF });
  });
});
