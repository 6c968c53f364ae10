import {
  ConfirmSuspenseSettlement,
  GetTrialBalance,
  ListDoubleReturns,
  ProposeSuspenseSettlement,
  sealSettlementNote,
} from '@ponte/contracts';
import { Money, isoTime } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { depositIdOf, returnIdOf } from '../deposit/deposit.state';
import { inBankBooks } from '../testing/bank-books-of';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, STRANGER_CPF } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest({ booksBalance: true });

const types = (endToEndId: string) => ledger.types(`deposit-${depositIdOf(endToEndId)}`);
const ticksUntil = (work: () => Promise<void>): Promise<void> =>
  eventually(async () => {
    await ledger.tick();
    await work();
  });
/** A payment of someone else, which Ponte refuses. */
const refused = async () => (await ledger.pay(await ledger.fundingCode(), '8.00', STRANGER_CPF)).endToEndId;
/** The bank pays the payer although it has executed a return of the payment. */
const takeBackAnyway = (endToEndId: string) =>
  inBankBooks(ledger, (books) => books.takeBack(endToEndId, '8.00', isoTime(ledger.now)));
const listed = async () =>
  (await ledger.ask(ListDoubleReturns, { page: { limit: 10, cursor: null, createdFrom: null, createdTo: null } }))
    .items;
const measured = async () =>
  (await ledger.engines.metrics.registry.getSingleMetric('ponte_double_returns')?.get())?.values[0]?.value;
const lost = async () =>
  (await ledger.ask(GetTrialBalance, { customers: false })).lines.find(({ account }) => account === 'house:loss')
    ?.amount;
const logged = () =>
  ledger.lines.filter((line) => line.includes('"level":50') && line.includes('the money left twice'));
/** Something that a test waits for. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
const POSTED = ['DepositCreated', 'DepositVoided', 'DepositReturned', 'DoubleReturnPosted'];

describe('A payment that the bank takes back', () => {
  it('after Ponte returned it is a loss of the house, once, and is counted, logged and listed', async () => {
    const endToEndId = await refused();
    await ledger.voided(endToEndId, 'payer-tax-id-mismatch');
    expect(await measured()).toBe(0);
    takeBackAnyway(endToEndId);
    await ticksUntil(async () => expect(await types(endToEndId)).toEqual(POSTED));
    await eventually(async () => {
      expect([await measured(), await lost(), logged()]).toEqual([1, '-8.00', [expect.anything()]]);
    });
    const depositId = depositIdOf(endToEndId);
    const [posted] = (await ledger.events(`deposit-${depositId}`)).slice(-1);
    expect(await listed()).toEqual([
      {
        ...{ depositId, accountId: ACCOUNT, type: 'pix', asset: 'fiat/brl', amount: '8.00', endToEndId },
        ...{ reason: 'payer-tax-id-mismatch', returnId: returnIdOf(depositId, 1), bankReference: null },
        bankReturnId: expect.stringMatching(/^D\d{20}/),
        postedAt: (posted?.data as { postedAt: string }).postedAt,
      },
    ]);
    await ledger.restart();
    takeBackAnyway(endToEndId);
    for (let round = 0; round < 3; round += 1) await ledger.tick();
    expect([await types(endToEndId), await lost(), await measured(), ledger.freezes]).toEqual([POSTED, '-8.00', 1, []]);
  });

  it('while its return is on its way is a loss only if the bank executed the return', async () => {
    ledger.bank.misbehaviour.returns = 'processing';
    const endToEndId = await refused();
    await eventually(async () => expect(await types(endToEndId)).toEqual(['DepositCreated', 'DepositVoided']));
    const depositId = depositIdOf(endToEndId);
    await eventually(() =>
      inBankBooks(ledger, (books) => expect(books.returnOf(endToEndId, returnIdOf(depositId, 1))).toBeDefined()),
    );
    takeBackAnyway(endToEndId);
    // While the bank does not say what it did with the return, nothing is recorded.
    ledger.bank.misbehaviour.fail('get-return', 'unheard');
    await expect(ledger.tick()).rejects.toMatchObject({ code: 'rail-unavailable' });
    const returnId = returnIdOf(depositId, 1);
    const processed = jest
      .spyOn(ledger.bank, 'getReturn')
      .mockResolvedValue({ returnId, status: 'processing', amount: '8.00', bankReturnId: null });
    await expect(ledger.tick()).rejects.toMatchObject({ code: 'rail-unavailable' });
    expect(await types(endToEndId)).toEqual(['DepositCreated', 'DepositVoided']);
    processed.mockRestore();
    await ticksUntil(async () => expect(await types(endToEndId)).toEqual(POSTED));
    await eventually(async () => expect(await lost()).toBe('-8.00'));
  });

  it('while its return is requested is a loss once the bank executes what it processed at that time', async () => {
    const returnRequested = gate();
    const takenBack = gate();
    const request = jest.spyOn(ledger.bank, 'requestReturn').mockImplementationOnce(async (id, returnId, amount) => {
      returnRequested.open();
      await takenBack.opened;
      inBankBooks(ledger, (books) => books.addReturn(id, returnId, amount, 'processing'));
      return { returnId, status: 'processing', amount, bankReturnId: null };
    });
    const endToEndId = await refused();
    await returnRequested.opened;
    await ledger.takeBack(endToEndId);
    await ticksUntil(async () => expect((await types(endToEndId)).at(-1)).toBe('DepositReturned'));
    expect(await lost()).toBeUndefined();
    takenBack.open();
    await ticksUntil(async () => expect(await types(endToEndId)).toEqual(POSTED));
    await eventually(async () => expect(await lost()).toBe('-8.00'));
    // Finance needs the id under which the bank executed the return.
    await eventually(async () => expect(await listed()).toMatchObject([{ bankReturnId: expect.stringMatching(/^D/) }]));
    request.mockRestore();
  });

  it('before Ponte returned it is no loss, however often it is reported', async () => {
    ledger.bank.misbehaviour.returns = 'not-carried-out';
    const endToEndId = await refused();
    await eventually(async () => expect(await types(endToEndId)).toContain('DepositReturnFailed'));
    await ledger.takeBack(endToEndId);
    await ledger.restart();
    for (let round = 0; round < 3; round += 1) await ledger.tick();
    // The bank no longer gets a request that was under way.
    ledger.now += 25 * 60 * 60_000;
    await ticksUntil(async () =>
      expect((await types(endToEndId)).slice(-2)).toEqual(['DepositReturned', 'DepositReturnFailed']),
    );
    const ended = await types(endToEndId);
    await ledger.tick();
    expect(await types(endToEndId)).toEqual(ended);
    expect([await lost(), await measured()]).toEqual([undefined, 0]);
  });

  it('after two staff members had sent it back is a loss too, with the reference of their payment', async () => {
    ledger.bank.misbehaviour.returns = 'not-carried-out';
    const endToEndId = await refused();
    const depositId = depositIdOf(endToEndId);
    await ticksUntil(async () => expect(await types(endToEndId)).toContain('SuspensePosted'));
    const [bankReference, note] = ['E1', await sealSettlementNote(ledger.engines.personalData, 'Ticket 4711')];
    await ledger.ask(ProposeSuspenseSettlement, { depositId, bankReference, note, staffId: 'first' });
    await ledger.ask(ConfirmSuspenseSettlement, { depositId, proposal: 1, staffId: 'second' });
    ledger.paidByHand = Money.parse('fiat/brl', '8.00');
    await ledger.takeBack(endToEndId);
    await ticksUntil(async () => expect((await types(endToEndId)).at(-1)).toBe('DoubleReturnPosted'));
    await eventually(async () => expect(await listed()).toMatchObject([{ returnId: null, bankReference: 'E1' }]));
  });
});
