import { waitingTokens } from '../set-aside/set-aside.testing';
import { after, codeOf, decided, takeBack } from '../suspense/suspense.testing';
import type { DepositCommand } from './deposit.state';
import { belongsToHolder, depositIdOf, isRefusedAsClosed, isUnfinished, refundOf, returnIdOf } from './deposit.state';
import { NOW, factsOf } from './deposit.testing';

const E2E = 'E1234567820261120120000000000001';
const ID = depositIdOf(E2E);
const pix = factsOf(E2E, '100.00', { accountId: 'a1', parentId: 'p1' });
const sentBack = { ...pix, withdrawalId: 'withdrawal-1' };
const recorded = { ...pix, recorded: { staffId: 'first', evidence: { bankReference: 'R', documentSha256: '0' } } };
const create = (facts = pix): DepositCommand => ({ kind: 'create', facts });
const accept: DepositCommand = { kind: 'validate', validation: { accepted: true, accountId: 'a1' }, now: NOW };
const refuse: DepositCommand = { kind: 'validate', validation: { accepted: false, reason: 'paid-late' }, now: NOW };
const credit: DepositCommand = { kind: 'credit', now: NOW };
const refuseClosed: DepositCommand = { kind: 'refuse-closed', now: NOW };
const staff = (kind: 'confirm' | 'reject', staffId = 'second'): DepositCommand => ({ kind, staffId, now: NOW });
const note = (executed: boolean): DepositCommand => ({
  ...{ kind: 'note-return', returnId: returnIdOf(ID, 1), bankReturnId: null, now: NOW },
  executed,
});
const SUSPENSE = [
  { account: 'house:settlement', asset: 'fiat/brl', amount: '-100.00' },
  { account: 'house:suspense', asset: 'fiat/brl', amount: '100.00' },
];

describe('A confirmed deposit whose account was closed', () => {
  it('goes back to its payer', () => {
    const [voided, ...others] = decided([create(), accept], refuseClosed);
    expect([voided?.data, others]).toMatchObject([
      { accountId: 'a1', reason: 'account-not-active', returnId: returnIdOf(ID, 1) },
      [],
    ]);
    const { state } = after(create(), accept, refuseClosed);
    expect([refundOf(state)?.state, isRefusedAsClosed(state)]).toEqual(['due', true]);
  });

  it.each([
    ['sent back by the bank', [create(sentBack), accept]],
    ['recorded by staff', [create(recorded), staff('confirm')]],
  ])('goes to suspense in the same append if it was %s, because no payer could get it', (_, confirmed) => {
    const [voided, posted, ...others] = decided(confirmed, refuseClosed);
    expect([voided?.data, posted?.data, others]).toMatchObject([
      { reason: 'account-not-active', returnId: null },
      { cause: 'unallocated', postings: SUSPENSE },
      [],
    ]);
    const { state, types } = after(...confirmed, refuseClosed, refuseClosed, takeBack, takeBack);
    expect(state).toMatchObject({ status: 'voided', suspense: { reason: 'account-closed' } });
    // The money is not in suspense any more once the bank has taken it back.
    expect(types.slice(2)).toEqual(['DepositVoided', 'SuspensePosted', 'SuspenseSettled']);
  });

  it('is one that was confirmed and not credited: no other is refused', () => {
    for (const before of [[], [create()], [create(), accept, credit], [create(), refuse]])
      expect(decided(before, refuseClosed)).toEqual([]);
    expect(isRefusedAsClosed(after(create(), refuse).state)).toBe(false);
    expect(isRefusedAsClosed(after(create(), accept, takeBack).state)).toBe(false);
    expect(isRefusedAsClosed(after(create(), accept).state)).toBe(false);
    const closedBefore: DepositCommand = { ...refuse, validation: { accepted: false, reason: 'account-not-active' } };
    expect(isRefusedAsClosed(after(create(), closedBefore).state)).toBe(false);
  });

  it('belongs to the holder if staff recorded it or if it is a returned payment', () => {
    expect([pix, sentBack, recorded].map(belongsToHolder)).toEqual([false, true, true]);
  });
});

describe('A deposit that staff recorded', () => {
  it('is confirmed once, by a staff member other than the one who recorded it', () => {
    expect(codeOf(create(recorded), staff('confirm', 'first'))).toBe('second-approver-required');
    const [confirmed, ...others] = decided([create(recorded)], staff('confirm'));
    expect([confirmed?.data, others]).toEqual([
      { depositId: ID, accountId: 'a1', confirmedAt: NOW, confirmedBy: 'second' },
      [],
    ]);
    for (const later of [[], [credit]])
      expect(decided([create(recorded), staff('confirm'), ...later], staff('confirm', 'third'))).toEqual([]);
    expect(decided([create()], accept)[0]?.data).toEqual({ depositId: ID, accountId: 'a1', confirmedAt: NOW });
  });

  it('is rejected, also by the staff member who recorded it, until it is confirmed', () => {
    const [voided, ...others] = decided([create(recorded)], staff('reject', 'first'));
    expect([voided?.data, others]).toMatchObject([{ reason: 'refused-by-staff', returnId: null }, []]);
    const rejected = [create(recorded), staff('reject')];
    expect(decided(rejected, staff('reject'))).toEqual([]);
    expect(codeOf(...rejected, staff('confirm'))).toBe('review-not-open');
    for (const later of [[], [credit]])
      expect(codeOf(create(recorded), staff('confirm'), ...later, staff('reject'))).toBe('review-not-open');
  });

  it('is for staff, not for the rules, and staff decide on no other', () => {
    expect(decided([create(recorded)], accept)).toEqual([]);
    expect(isUnfinished(after(create(recorded)).state)).toBe(false);
    for (const kind of ['confirm', 'reject'] as const) {
      expect(codeOf(staff(kind))).toBe('deposit-not-found');
      expect(codeOf(create(), staff(kind))).toBe('deposit-not-found');
    }
  });
});

describe('A payment that the bank takes back', () => {
  const requestReturn: DepositCommand = { kind: 'request-return', reason: 'order-rolled-back', now: NOW };

  it.each([
    ['before it was credited', [create(), accept], 'not-credited'],
    ['before it was confirmed', [create()], 'not-credited'],
    ['after it was credited', [create(), accept, credit], 'credited'],
    ['after it was debited again for its return', [create(), accept, credit, requestReturn], 'reversed'],
  ])('%s is voided for its account, and its state tells what the books hold', (_, before, books) => {
    const [voided, ...others] = decided(before, takeBack);
    expect([voided?.data, others]).toMatchObject([{ accountId: 'a1', reason: 'taken-back', returnId: null }, []]);
    expect(after(...before, takeBack, takeBack).state).toMatchObject({ status: 'voided', reason: 'taken-back', books });
  });

  it('is unknown to a deposit that does not exist, as is its return', () => {
    expect(decided([], takeBack)).toEqual([]);
    expect(decided([], note(true))).toEqual([]);
  });
});

describe('A deposit that is not finished', () => {
  it('is one that the rules, the posting or a return still have to advance', () => {
    const states = [[create()], [create(), accept], [create(), refuse]];
    expect(states.map((commands) => isUnfinished(after(...commands).state))).toEqual([true, true, true]);
    expect(isUnfinished(after(create(), accept, credit).state)).toBe(false);
    expect(isUnfinished(after(...waitingTokens()).state)).toBe(true);
  });
});
