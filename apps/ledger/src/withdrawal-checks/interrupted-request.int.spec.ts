import { Money, Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest({ booksBalance: true });
beforeEach(() => ledger.fund('1000.00'));

const KEY = { pixKey: STRANGER_CPF };
/** The append that fails after the hold was placed, so that the caller gets no answer and may repeat the request. */
const FAILING = ['AllowanceTaken', 'WithdrawalCreated'] as const;

/** A request that held 1.00 and was interrupted. The gateway then forgets the body of the request. */
async function interrupted(type: (typeof FAILING)[number]) {
  const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', externalId: 'invoice-1' };
  ledger.store.faults.next({ kind: 'refuse', match: (_stream, events) => events[0]?.type === type });
  await expect(ledger.withdraw('1.00', KEY, { ...scope, bodyHash: 'first' })).rejects.toBeInstanceOf(Unavailable);
  expect((await ledger.balance()).held).toBe('1.00');
  return scope;
}

describe.each(FAILING)('A withdrawal request that was interrupted at %s', (type) => {
  it('can be repeated, with the same hold', async () => {
    const scope = await interrupted(type);
    await ledger.withdraw('1.00', KEY, { ...scope, bodyHash: 'first' });
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPosted', 'HoldPlaced']);
  });

  it('leaves nothing to a request for another amount under its key: it is held, counted, paid and debited in full', async () => {
    const scope = await interrupted(type);
    const { id } = await ledger.withdraw('900.00', KEY, { ...scope, bodyHash: 'second' });
    await eventually(async () => {
      await ledger.tick();
      expect((await ledger.withdrawal(id))?.state).toBe('completed');
    });
    expect(ledger.payouts.totals().paid.equals(Money.parse('fiat/brl', '900.00'))).toBe(true);
    expect(await ledger.balance()).toEqual({ running: '100.00', available: '100.00', held: '0.00' });
  });

  it('does not lift the daily limit or the balance for another amount under its key', async () => {
    const limit = { 'fiat/brl': { amount: '50.00', count: null } };
    const limits = jest.replaceProperty(ledger.settings, 'withdrawalLimits', limit);
    const scope = await interrupted(type);
    const again = (amount: string) => ledger.withdraw(amount, KEY, { ...scope, bodyHash: 'second' });
    for (let attempt = 0; attempt < 2; attempt += 1)
      await expect(again('50.01')).rejects.toMatchObject({ code: 'limit-exceeded' });
    limits.replaceValue({});
    await expect(again('1000.01')).rejects.toMatchObject({ code: 'insufficient-balance' });
    expect(await again('1000.00')).toMatchObject({ amount: '1000.00', externalId: 'invoice-1' });
  });
});
