import { isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { inBankBooks } from '../testing/bank-books-of';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });

const types = (endToEndId: string) => ledger.types(`deposit-${depositIdOf(endToEndId)}`);
const CREDITED = ['DepositCreated', 'DepositConfirmed', 'DepositCredited'];
const MINUTES = 60_000;

/** A payment whose callback is lost and which the bank lists, but does not return when it is asked for it. */
async function listedOnly(amount: string) {
  ledger.bank.misbehaviour.callbacks = 'lost';
  const { endToEndId } = await ledger.pay(await ledger.fundingCode(), amount);
  const real = ledger.bank.getReceived.bind(ledger.bank);
  let isKnown = false;
  const read = jest
    .spyOn(ledger.bank, 'getReceived')
    .mockImplementation(async (id) => (id === endToEndId && !isKnown ? undefined : real(id)));
  return {
    endToEndId,
    appear: () => {
      isKnown = true;
    },
    restore: () => read.mockRestore(),
  };
}
const poll = () => ledger.tick().catch((error: unknown) => expect(error).toMatchObject({ code: 'rail-unavailable' }));

describe('A Pix that the bank lists but does not return', () => {
  it('is credited once the bank returns it, however much later', async () => {
    const { endToEndId, appear, restore } = await listedOnly('10.00');
    await poll();
    ledger.now += 30 * MINUTES;
    await poll();
    expect(await types(endToEndId)).toEqual([]);
    appear();
    await eventually(async () => {
      await poll();
      expect(await types(endToEndId)).toEqual(CREDITED);
    });
    restore();
  });

  it('is voided, not only credited, if the bank took it back meanwhile', async () => {
    const { endToEndId, appear, restore } = await listedOnly('10.00');
    inBankBooks(ledger, (books) => books.takeBack(endToEndId, '10.00', isoTime(ledger.now)));
    await poll();
    ledger.now += 30 * MINUTES;
    await poll();
    appear();
    await eventually(async () => {
      await poll();
      expect((await types(endToEndId)).at(-1)).toBe('DepositVoided');
    });
    await eventually(async () => expect((await ledger.balance()).running).toBe('0.00'));
    restore();
  });
});
