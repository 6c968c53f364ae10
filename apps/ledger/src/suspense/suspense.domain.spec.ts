import { deposit } from '../deposit/deposit.decider';
import type { DepositCommand } from '../deposit/deposit.state';
import { MAX_RETURNS, depositIdOf, isUnfinished, refundOf, returnIdOf } from '../deposit/deposit.state';
import { failedReturnOf } from './failed-return.mapper';
import { inSuspense, isDead, overtakenProposal } from './suspense.domain';
import { NOW, factsOf } from '../deposit/deposit.testing';
import { after, codeOf, confirm, decided, propose, refusedReturn, reject, takeBack } from './suspense.testing';

const E2E = 'E1234567820261120120000000000001';
const ID = depositIdOf(E2E);
const FAILED = refusedReturn(E2E);
const shown = (...commands: DepositCommand[]) => failedReturnOf(inSuspense(after(...commands).state));

describe('The money of a return that the bank refused permanently', () => {
  it('is posted to suspense together with the last refusal, once', () => {
    const before = after(...FAILED.slice(0, -1)).state;
    const last: DepositCommand = {
      kind: 'note-return',
      returnId: returnIdOf(ID, MAX_RETURNS),
      executed: false,
      bankReturnId: null,
      now: NOW,
    };
    const events = deposit.decide(last, before);
    expect(events.map(({ type }) => type)).toEqual(['DepositReturnFailed', 'SuspensePosted']);
    expect(events[1]?.data).toEqual({
      depositId: ID,
      cause: 'return-refused',
      amount: { asset: 'fiat/brl', amount: '100.00' },
      postings: [
        { account: 'house:settlement', asset: 'fiat/brl', amount: '-100.00' },
        { account: 'house:suspense', asset: 'fiat/brl', amount: '100.00' },
      ],
      postedAt: NOW,
    });
    const { state } = after(...FAILED);
    expect([deposit.decide(last, state), isUnfinished(state)]).toEqual([[], false]);
    expect(shown(...FAILED)).toMatchObject({ status: 'open', reason: 'unknown-target', attempts: 5, settlement: null });
  });

  it('leaves suspense when a second staff member confirms how it was sent back', () => {
    expect(shown(...FAILED, propose())).toMatchObject({
      status: 'proposed',
      settlement: { bankReference: 'E1', note: 'sealed:v1:x', proposedBy: 'first', confirmedBy: null },
      settledAt: null,
    });
    const { state } = after(...FAILED, propose());
    const [event] = deposit.decide(confirm(), state);
    expect(event).toMatchObject({
      type: 'SuspenseSettled',
      data: {
        proposal: 1,
        confirmedBy: 'second',
        postings: [
          { account: 'house:suspense', asset: 'fiat/brl', amount: '-100.00' },
          { account: 'house:settlement', asset: 'fiat/brl', amount: '100.00' },
        ],
      },
    });
    expect(shown(...FAILED, propose(), confirm())).toMatchObject({
      status: 'settled',
      settlement: { confirmedBy: 'second' },
      settledAt: NOW,
    });
  });

  it('is settled once, even when commands are repeated', () => {
    const { types } = after(...FAILED, propose(), propose(), confirm(), confirm(), confirm('third'));
    expect(types.slice(-3)).toEqual(['SuspensePosted', 'SuspenseSettlementProposed', 'SuspenseSettled']);
    expect(codeOf(...FAILED, propose(), confirm(), propose('third'))).toBe('payment-already-settled');
    expect(codeOf(...FAILED, propose(), confirm(), reject('third'))).toBe('payment-already-settled');
    expect(decided([...FAILED, propose(), confirm()], confirm())).toEqual([]);
    expect(codeOf(...FAILED, propose(), confirm(), confirm('third', 2))).toBe('payment-already-settled');
    expect(codeOf(...FAILED, takeBack, confirm())).toBe('payment-already-settled');
  });

  it('can be settled by no staff member alone', () => {
    expect(codeOf(...FAILED, propose(), confirm('first'))).toBe('second-member-required');
    expect(codeOf(...FAILED, propose(), reject('first'))).toBe('second-member-required');
    expect(codeOf(...FAILED, confirm())).toBe('settlement-not-pending');
    expect(codeOf(...FAILED, reject())).toBe('settlement-not-pending');
  });

  it('has at most one pending settlement, and gets another one after a rejection', () => {
    expect(codeOf(...FAILED, propose(), propose('third'))).toBe('settlement-pending');
    expect(codeOf(...FAILED, propose(), propose('first', 'E2'))).toBe('settlement-pending');
    expect(codeOf(...FAILED, propose(), { ...propose(), note: 'sealed:v1:y' } as DepositCommand)).toBe(
      'settlement-pending',
    );
    expect(decided([...FAILED, propose()], reject())[0]?.data).toEqual({
      ...{ depositId: ID, proposal: 1, staffId: 'second', rejectedAt: NOW },
    });
    expect(codeOf(...FAILED, propose(), reject('second', 0))).toBe('settlement-not-pending');
    const rejected = [...FAILED, propose(), reject()];
    expect(shown(...rejected)).toMatchObject({ status: 'open', settlement: null });
    expect(codeOf(...rejected, confirm())).toBe('settlement-not-pending');
    const again = [...rejected, propose('second', 'E2')];
    // A decision about a proposal that is no longer pending must not decide the next one.
    expect(codeOf(...again, confirm('third', 1))).toBe('settlement-not-pending');
    expect(codeOf(...again, reject('third', 3))).toBe('settlement-not-pending');
    expect(after(...again, reject('third', 1)).types).toEqual(after(...again).types);
    expect(shown(...again, confirm('first', 2))).toMatchObject({
      status: 'settled',
      settlement: { bankReference: 'E2' },
    });
  });

  it('leaves suspense by itself when the bank takes the payment back', () => {
    const { types } = after(...FAILED, propose(), takeBack, takeBack);
    expect(types.slice(-2)).toEqual(['SuspenseSettlementProposed', 'SuspenseSettled']);
    expect(shown(...FAILED, takeBack)).toMatchObject({ status: 'settled', settlement: null });
    // The proposal stays: the payer may have been paid twice, and the reference must settle nothing else.
    expect(shown(...FAILED, propose(), takeBack)).toMatchObject({
      status: 'settled',
      settlement: { bankReference: 'E1', confirmedBy: null },
      settledAt: NOW,
    });
    for (const decide of [confirm(), reject()])
      expect(codeOf(...FAILED, propose(), takeBack, decide)).toBe('payment-already-settled');
    const overtaken = (...commands: DepositCommand[]) => overtakenProposal(inSuspense(after(...commands).state));
    expect(overtaken(...FAILED, propose(), takeBack)).toMatchObject({ bankReference: 'E1' });
    for (const others of [[takeBack], [propose()], [propose(), confirm(), takeBack]])
      expect(overtaken(...FAILED, ...others)).toBeNull();
  });

  it('leaves suspense when the bank takes a payment back whose order was rolled back', () => {
    const credited: DepositCommand[] = [
      { kind: 'create', facts: factsOf(E2E, '100.00', { accountId: 'a1' }) },
      { kind: 'validate', validation: { accepted: true, accountId: 'a1' }, now: NOW },
      { kind: 'credit', now: NOW },
      { kind: 'request-return', reason: 'order-rolled-back', now: NOW },
      ...FAILED.slice(2),
    ];
    expect(after(...credited, takeBack, takeBack).types.slice(-3)).toEqual([
      'SuspensePosted',
      'SuspenseSettled',
      'DepositVoided',
    ]);
    expect(shown(...credited, takeBack)).toMatchObject({ status: 'settled', reason: 'order-rolled-back', attempts: 5 });
    expect(after(...credited, propose(), confirm(), takeBack, takeBack).types.slice(-2)).toEqual([
      'SuspenseSettled',
      'DoubleReturnPosted',
    ]);
  });
});

describe('A deposit', () => {
  it('whose money was never in suspense has no settlement', () => {
    for (const commands of [[], FAILED.slice(0, 2), FAILED.slice(0, -1)])
      expect(codeOf(...commands, propose())).toBe('failed-return-not-found');
  });

  it('whose return is due is returned once the bank takes the payment back', () => {
    const { state, types } = after(...FAILED.slice(0, 2), takeBack, takeBack, ...FAILED.slice(2));
    expect(types).toEqual(['DepositCreated', 'DepositVoided', 'DepositReturned', 'DepositReturnFailed']);
    expect([refundOf(state)?.state, isUnfinished(state)]).toEqual(['done', false]);
  });

  it('that no account may receive is posted to suspense when it is created', () => {
    const unallocated: DepositCommand = {
      kind: 'create',
      facts: factsOf(E2E, '6.01', { unallocated: 'exceeds-payment', withdrawalId: 'w1' }),
    };
    const { state, types } = after(unallocated, unallocated, ...FAILED.slice(1));
    expect(types).toEqual(['DepositCreated', 'SuspensePosted']);
    expect(isUnfinished(state)).toBe(false);
    expect(shown(unallocated)).toMatchObject({
      ...{ cause: 'unallocated', status: 'open', reason: 'exceeds-payment', attempts: 0, withdrawalId: 'w1' },
    });
    expect(shown(unallocated, propose(), confirm())).toMatchObject({ status: 'settled' });
  });
});

describe('A proposal', () => {
  it('is dead only if it can never settle its deposit', () => {
    const dead = (...commands: DepositCommand[]) => isDead(after(...commands).state, 1);
    expect([dead(), dead(...FAILED), dead(...FAILED, propose()), dead(...FAILED, propose(), confirm())]).toEqual([
      ...[false, false, false, false],
    ]);
    expect([
      dead(...FAILED, propose(), reject()),
      dead(...FAILED, propose(), reject(), propose()),
      dead(...FAILED, propose(), takeBack),
    ]).toEqual([true, true, false]);
  });
});
