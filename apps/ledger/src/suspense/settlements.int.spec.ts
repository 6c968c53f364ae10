import {
  ConfirmSuspenseSettlement,
  GetTrialBalance,
  ListFailedReturns,
  ProposeSuspenseSettlement,
  RejectSuspenseSettlement,
  SettlementReferenceClaimed,
  sealSettlementNote,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { Money, Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { depositIdOf } from '../deposit/deposit.state';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { STRANGER_CPF } from '../testing/ledger-under-test';
import { settlementReferenceId } from './settlement-reference.decider';

const AT = '2026-11-20T12:00:00.000Z';

const ledger = ledgerForEachTest({ booksBalance: true });
beforeEach(() => {
  ledger.paidByHand = Money.zero('fiat/brl');
});

const metric = async (name: 'ponte_failed_returns') =>
  (await ledger.engines.metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
/** The id of a deposit whose return the bank refused permanently. */
async function failed(amount: string): Promise<string> {
  ledger.bank.misbehaviour.returns = 'not-carried-out';
  const depositId = depositIdOf((await ledger.pay(await ledger.fundingCode(), amount, STRANGER_CPF)).endToEndId);
  await eventually(async () => {
    await ledger.tick();
    expect(await ledger.types(`deposit-${depositId}`)).toContain('SuspensePosted');
  });
  return depositId;
}
const propose = async (depositId: string, bankReference = 'E1', staffId = 'first', text = 'Ticket 4711') => {
  const note = await sealSettlementNote(ledger.engines.personalData, text);
  return ledger.ask(ProposeSuspenseSettlement, { depositId, bankReference, note, staffId });
};
const confirm = (depositId: string, staffId = 'second', proposal = 1) =>
  ledger.ask(ConfirmSuspenseSettlement, { depositId, proposal, staffId });
const reject = (depositId: string, staffId = 'second', proposal = 1) =>
  ledger.ask(RejectSuspenseSettlement, { depositId, proposal, staffId });
const code = (response: Promise<unknown>) =>
  response.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Refusal ? error.code : Promise.reject(error as Error)),
  );
const records = async (status: 'open' | 'proposed' | 'settled' | null) =>
  (
    await ledger.ask(ListFailedReturns, {
      filters: { status, cause: null },
      page: { limit: 10, cursor: null, createdFrom: null, createdTo: null },
    })
  ).items;
const listed = async (status: 'open' | 'proposed' | 'settled' | null) =>
  (await records(status)).map(({ depositId }) => depositId);
const inSuspense = async () =>
  (await ledger.ask(GetTrialBalance, { customers: false })).lines.find(({ account }) => account === 'house:suspense')
    ?.amount;
const pay = (amount: string): void => {
  ledger.paidByHand = ledger.paidByHand.plus(Money.parse('fiat/brl', amount));
};

describe('A failed return', () => {
  it('is settled by a second staff member, and leaves suspense, the metric and the open list', async () => {
    const depositId = await failed('8.00');
    await eventually(async () => expect(await inSuspense()).toBe('8.00'));
    expect(await listed('open')).toEqual([depositId]);
    expect(await propose(depositId)).toMatchObject({ status: 'proposed' });
    expect([await listed('open'), await listed('proposed'), await metric('ponte_failed_returns')]).toEqual([
      ...[[], [depositId], 1],
    ]);
    expect(await code(confirm(depositId, 'first'))).toBe('second-member-required');
    expect(await confirm(depositId)).toMatchObject({
      status: 'settled',
      settlement: { bankReference: 'E1', proposedBy: 'first', confirmedBy: 'second' },
    });
    pay('8.00');
    expect(await metric('ponte_failed_returns')).toBe(0);
    expect([await listed('settled'), await listed('open'), await listed(null)]).toEqual([
      ...[[depositId], [], [depositId]],
    ]);
    await eventually(async () => expect(await inSuspense()).toBe('0.00'));
  });

  it('is settled once, however often and at the same time it is confirmed', async () => {
    const depositId = await failed('8.00');
    await propose(depositId);
    await Promise.all(['second', 'third', 'second'].map((staffId) => confirm(depositId, staffId)));
    pay('8.00');
    expect((await ledger.types(`deposit-${depositId}`)).filter((type) => type === 'SuspenseSettled')).toHaveLength(1);
    expect(await code(propose(depositId, 'E2'))).toBe('payment-already-settled');
    expect(await code(reject(depositId, 'third'))).toBe('payment-already-settled');
  });

  it('stays in suspense when its settlement is rejected, and can be settled again', async () => {
    const depositId = await failed('8.00');
    await propose(depositId);
    expect(await code(reject(depositId, 'first'))).toBe('second-member-required');
    expect(await reject(depositId)).toMatchObject({ status: 'open', settlement: null });
    await eventually(async () => expect(await inSuspense()).toBe('8.00'));
    expect(await propose(depositId, 'E1', 'second')).toMatchObject({ status: 'proposed' });
    // A late decision about the first proposal decides nothing about the second one.
    expect(await code(confirm(depositId, 'third', 1))).toBe('settlement-not-pending');
    expect(await reject(depositId, 'third', 1)).toMatchObject({ status: 'proposed' });
    expect(await confirm(depositId, 'first', 2)).toMatchObject({ status: 'settled', settlement: { proposal: 2 } });
    pay('8.00');
  });

  it('is not settled by the bank reference of another one, in any case of its letters', async () => {
    const [one, other] = [await failed('8.00'), await failed('9.00')];
    await propose(one, 'E1a');
    await propose(other, 'e1A');
    await confirm(one);
    pay('8.00');
    expect(await code(confirm(other))).toBe('bank-reference-already-used');
    await reject(other);
    expect(await code(propose(other, 'E1A'))).toBe('bank-reference-already-used');
    await eventually(async () => expect(await inSuspense()).toBe('9.00'));
    await propose(other, 'E2');
    await confirm(other, 'second', 2);
    pay('9.00');
  });

  it('is settled by one of two confirmations at the same time with one bank reference', async () => {
    const both = [await failed('8.00'), await failed('8.00')];
    for (const depositId of both) await propose(depositId);
    const codes = await Promise.all(both.map((depositId) => code(confirm(depositId))));
    expect(codes.sort()).toEqual(['bank-reference-already-used', 'not refused']);
    pay('8.00');
    await eventually(async () => expect(await inSuspense()).toBe('8.00'));
  });

  it('may use the reference of a settlement that was rejected', async () => {
    const [one, other] = [await failed('8.00'), await failed('9.00')];
    await propose(one);
    await reject(one);
    await propose(other);
    expect(await confirm(other)).toMatchObject({ status: 'settled' });
    pay('9.00');
    expect(await code(propose(one))).toBe('bank-reference-already-used');
  });

  it('may use a reference that a confirmation claimed before it crashed and its settlement was rejected', async () => {
    const [one, other] = [await failed('8.00'), await failed('9.00')];
    await propose(one);
    const { type, data } = new SettlementReferenceClaimed({ depositId: one, proposal: 1, claimedAt: AT });
    const meta = { commandId: one, index: 0, count: 1, occurredAt: AT, correlationId: one };
    await ledger.store.append(`settlementReference-${settlementReferenceId('E1')}`, -1, [
      { id: eventId(one, 0), type, version: 1, data, meta },
    ]);
    // The cached stream does not have this event.
    await ledger.stop();
    await ledger.boot();
    expect(await code(propose(other))).toBe('bank-reference-already-used');
    await reject(one);
    await propose(other);
    expect(await confirm(other)).toMatchObject({ status: 'settled' });
    pay('9.00');
  });

  it('keeps its proposal if the bank takes the payment back, and the reference settles no other one', async () => {
    const [one, other] = [await failed('8.00'), await failed('9.00')];
    await propose(one);
    await propose(other, 'e1');
    const taken = (await records('proposed')).find(({ depositId }) => depositId === one);
    await ledger.takeBack(taken?.endToEndId ?? '');
    await eventually(async () => {
      await ledger.tick();
      expect(await records('settled')).toMatchObject([
        { depositId: one, settlement: { proposal: 1, bankReference: 'E1', confirmedBy: null } },
      ]);
    });
    expect(await code(confirm(one))).toBe('payment-already-settled');
    expect(await code(confirm(other))).toBe('bank-reference-already-used');
  });

  it('is required: the id of any other deposit is refused', async () => {
    expect(await code(propose(ledger.freshId()))).toBe('failed-return-not-found');
    expect(await code(confirm(ledger.freshId()))).toBe('failed-return-not-found');
    expect(await code(reject(ledger.freshId()))).toBe('failed-return-not-found');
  });
});
