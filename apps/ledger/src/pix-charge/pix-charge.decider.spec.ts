import type { PixChargeEvent } from '@ponte/contracts';
import { fold } from '@ponte/event-sourcing';
import { addSeconds } from '@ponte/kernel';
import type { ChargeFacts, ChargePayment, PixChargeCommand } from './pix-charge.decider';
import { outcomeOf, paymentHoldId, pixCharge } from './pix-charge.decider';

const EXPIRATION = '2026-11-20T12:15:00.000Z';
const FACTS: ChargeFacts = {
  txid: 't1',
  accountId: 'a1',
  parentId: null,
  orderId: 'o1',
  amount: '50.00',
  expiration: EXPIRATION,
  payerTaxIdFingerprint: 'holder',
};
const request: PixChargeCommand = { kind: 'request', facts: FACTS };
const opened: PixChargeCommand = { kind: 'note-opened', brcode: 'code', now: '2026-11-20T12:00:00.000Z' };
const close: PixChargeCommand = { kind: 'close', now: EXPIRATION };
const pay = (change: Partial<ChargePayment> = {}, accountOpen = true): PixChargeCommand => ({
  kind: 'validate-payment',
  accountOpen,
  payment: { depositId: 'd1', amount: '50.00', payerTaxIdFingerprint: 'holder', settledAt: EXPIRATION, ...change },
});
const noteHeld = (depositId: string): PixChargeCommand => ({ kind: 'note-held', depositId });

function after(...commands: PixChargeCommand[]) {
  let state = pixCharge.initial;
  const all: PixChargeEvent[] = [];
  for (const command of commands) {
    const events = pixCharge.decide(command, state);
    all.push(...events);
    state = fold(pixCharge, state, events);
  }
  const types = all.map(({ type }) => type);
  return { events: all, types, outcome: outcomeOf(state), decisions: state.status === 'none' ? {} : state.decisions };
}

describe('A Pix charge', () => {
  it('is opened once and paid as agreed', () => {
    const { types, outcome } = after(
      request,
      request,
      opened,
      opened,
      pay(),
      pay(),
      noteHeld('d1'),
      noteHeld('d1'),
      close,
    );
    expect(types).toEqual(['PixChargeRequested', 'PixChargeOpened', 'PixChargePaymentAccepted', 'PixChargePaid']);
    expect(outcome).toEqual({ state: 'paid', depositId: 'd1', holdId: paymentHoldId('d1') });
  });

  it('is paid in time at its expiration and late a millisecond after it, by settlement time', () => {
    expect(after(request, opened, pay({ settledAt: EXPIRATION })).types.at(-1)).toBe('PixChargePaymentAccepted');
    const late = new Date(Date.parse(EXPIRATION) + 1).toISOString();
    expect(after(request, opened, pay({ settledAt: late })).outcome).toEqual({
      state: 'mispaid',
      depositId: 'd1',
      reason: 'paid-late',
    });
  });

  it.each([
    ['payer-tax-id-mismatch', { payerTaxIdFingerprint: 'stranger' }],
    ['payer-tax-id-mismatch', { payerTaxIdFingerprint: '' }],
    ['amount-mismatch', { amount: '49.99' }],
    ['amount-mismatch', { amount: '50.01' }],
    ['paid-late', { settledAt: addSeconds(EXPIRATION, 1) }],
  ] as const)('is spent by a wrong payment (%s), so that the next payment is refused', (reason, change) => {
    const { types, outcome, decisions } = after(request, opened, pay(change), pay({ depositId: 'd2' }), close);
    expect(types.slice(2)).toEqual(['PixChargeMispaid', 'PixChargePaymentRefused']);
    expect(outcome).toEqual({ state: 'mispaid', depositId: 'd1', reason });
    expect(decisions['d2']).toEqual({ accepted: false, reason: 'paid-twice' });
  });

  it('keeps the first of two payments, and refuses the second without any change', () => {
    const { outcome, decisions } = after(
      request,
      opened,
      pay(),
      pay({ depositId: 'd2' }),
      noteHeld('d2'),
      noteHeld('d1'),
      pay({ depositId: 'd3' }),
    );
    expect(outcome).toMatchObject({ state: 'paid', depositId: 'd1' });
    expect(decisions).toMatchObject({ d2: { reason: 'paid-twice' }, d3: { reason: 'paid-twice' } });
  });

  it('is decided by whichever comes first in its stream, payment or close', () => {
    expect(after(request, opened, pay(), close).types.at(-1)).toBe('PixChargePaymentAccepted');
    const closed = after(request, opened, close, pay(), pay({ depositId: 'd2', settledAt: addSeconds(EXPIRATION, 1) }));
    expect(closed.outcome).toEqual({ state: 'closed' });
    expect(closed.decisions).toMatchObject({ d1: { reason: 'charge-closed' }, d2: { reason: 'paid-late' } });
  });

  it('is closed if the bank takes its payment back before it is held, and by nothing else that is taken back', () => {
    const takenBack = (depositId: string): PixChargeCommand => ({
      kind: 'note-taken-back',
      depositId,
      now: EXPIRATION,
    });
    const { types, outcome } = after(
      request,
      opened,
      pay(),
      takenBack('d2'),
      takenBack('d1'),
      takenBack('d1'),
      noteHeld('d1'),
    );
    expect(types.slice(2)).toEqual(['PixChargePaymentAccepted', 'PixChargeClosed']);
    expect(outcome).toEqual({ state: 'closed' });
    expect(after(request, opened, pay(), noteHeld('d1'), takenBack('d1')).outcome).toMatchObject({ state: 'paid' });
    expect(after(request, opened, pay({ amount: '1.00' }), takenBack('d1')).outcome).toMatchObject({
      state: 'mispaid',
    });
    expect(after(takenBack('d1')).types).toEqual([]);
    expect(after(request, opened, pay(), takenBack('d2')).outcome).toEqual({ state: 'open' });
    // A payment that was refused because another one was accepted is not the payment of the charge.
    expect(after(request, opened, pay(), pay({ depositId: 'd2' }), takenBack('d2'), noteHeld('d1')).outcome).toEqual({
      ...{ state: 'paid', depositId: 'd1', holdId: paymentHoldId('d1') },
    });
  });

  it('refuses a payment that the bank took back before it was validated, and waits for another until it is closed', () => {
    const takenBack: PixChargeCommand = { kind: 'note-taken-back', depositId: 'd1', now: EXPIRATION };
    for (const unpaid of [[request], [request, opened]]) {
      const { types, outcome, decisions } = after(...unpaid, takenBack, takenBack, pay());
      expect(types.slice(unpaid.length)).toEqual(['PixChargePaymentRefused']);
      expect([outcome, decisions]).toEqual([{ state: 'open' }, { d1: { accepted: false, reason: 'taken-back' } }]);
      expect(after(...unpaid, takenBack, close).outcome).toEqual({ state: 'closed' });
      expect(after(...unpaid, takenBack, pay({ depositId: 'd2' })).types.at(-1)).toBe('PixChargePaymentAccepted');
    }
    expect(after(request, opened, close, takenBack).types.at(-1)).toBe('PixChargeClosed');
  });

  it('is not closed by its expiration while an accepted payment waits to be held', () => {
    expect(after(request, opened, pay(), close, noteHeld('d1')).outcome).toMatchObject({ state: 'paid' });
  });

  it('is paid only by the hold of its accepted payment', () => {
    for (const depositId of ['unknown', 'd2']) {
      const { types, outcome } = after(request, opened, pay(), pay({ depositId: 'd2' }), noteHeld(depositId));
      expect([types.at(-1), outcome]).toEqual(['PixChargePaymentRefused', { state: 'open' }]);
    }
  });

  it('records in each event whose charge it is and what the decision rests on', () => {
    const charge = { txid: 't1', orderId: 'o1', accountId: 'a1' };
    const decided = (...commands: PixChargeCommand[]) => after(...commands).events.map(({ data }) => data);
    const settledAt = addSeconds(EXPIRATION, -60);
    const accepted = { ...charge, depositId: 'd1', holdId: paymentHoldId('d1'), settledAt };
    expect(decided(request, opened, pay({ settledAt }), pay({ depositId: 'd2' }), noteHeld('d1'))).toEqual([
      FACTS,
      { txid: 't1', brcode: 'code', openedAt: '2026-11-20T12:00:00.000Z' },
      accepted,
      { txid: 't1', depositId: 'd2', reason: 'paid-twice' },
      accepted,
    ]);
    expect(decided(request, pay({ amount: '50.01' }))).toEqual([
      FACTS,
      { ...charge, depositId: 'd1', reason: 'amount-mismatch' },
    ]);
    expect(decided(request, close)).toEqual([FACTS, { ...charge, closedAt: EXPIRATION }]);
  });

  it('refuses a payment while the account is closed, and can still be paid later', () => {
    const { outcome, decisions } = after(request, opened, pay({}, false), pay({}, true), pay({ depositId: 'd2' }));
    expect(decisions).toMatchObject({ d1: { accepted: false, reason: 'account-not-active' }, d2: { accepted: true } });
    expect(outcome).toEqual({ state: 'open' });
  });

  it('can be paid or closed if it was requested but never seen open', () => {
    expect(after(request, pay(), noteHeld('d1')).outcome).toMatchObject({ state: 'paid' });
    expect(after(request, close, opened).outcome).toEqual({ state: 'closed' });
    expect(after(pay(), close, opened)).toEqual({ events: [], types: [], outcome: null, decisions: {} });
  });
});
