import { depositMachine } from '@ponte/contracts';
import { fold, mayMove, scenario } from '@ponte/event-sourcing';
import fc from 'fast-check';
import type { DepositCommand, DepositValidation } from './deposit.state';
import { deposit } from './deposit.decider';
import { depositRecord } from './deposit.record';
import { NOW, factsOf } from './deposit.testing';
import { MAX_RETURNS, depositIdOf, isUnfinished, refundOf, returnIdOf } from './deposit.state';

const E2E = 'E1234567820261120120000000000001';
const ID = depositIdOf(E2E);
const FACTS = factsOf(E2E, '100.00', { accountId: 'a1', parentId: 'p1' });
const create: DepositCommand = { kind: 'create', facts: FACTS };
const validate = (validation: DepositValidation): DepositCommand => ({ kind: 'validate', validation, now: NOW });
const accept = validate({ accepted: true, accountId: 'a1' });
const refuse = validate({ accepted: false, reason: 'payer-tax-id-mismatch' });
const credit: DepositCommand = { kind: 'credit', now: NOW };
const requestReturn: DepositCommand = { kind: 'request-return', reason: 'order-rolled-back', now: NOW };
const note = (returnId: string, executed: boolean, bankReturnId: string | null = null): DepositCommand => ({
  kind: 'note-return',
  returnId,
  executed,
  bankReturnId,
  now: NOW,
});

function after(...commands: DepositCommand[]) {
  let state = deposit.initial;
  const types: string[] = [];
  for (const command of commands) {
    const events = deposit.decide(command, state);
    types.push(...events.map(({ type }) => type));
    state = fold(deposit, state, events);
  }
  return { state, types };
}

describe('A deposit', () => {
  it('is created, confirmed and credited, each once', () => {
    const { state, types } = after(create, create, accept, accept, refuse, credit, credit, refuse);
    expect(types).toEqual(['DepositCreated', 'DepositConfirmed', 'DepositCredited']);
    expect(state).toMatchObject({ status: 'credited', refund: null });
    expect(isUnfinished(state)).toBe(false);
  });

  it('has an id that derives from the endToEndId only', () => {
    expect(depositIdOf(E2E)).toBe(depositIdOf(E2E));
    expect(depositIdOf(E2E)).not.toBe(depositIdOf(`${E2E.slice(0, -1)}2`));
    // A release that derived other ids would credit a Pix, or send its return, again.
    expect([ID, returnIdOf(ID, 1)]).toEqual([
      'd3b040a0-e109-8d11-8973-019f0524351e',
      '0a62a0926eb18f3b838333a1e4419a1f',
    ]);
    expect(scenario(deposit).given().when(create).events()).toEqual([{ type: 'DepositCreated', data: FACTS }]);
  });

  it("is credited only if the sender is the account's holder, otherwise voided and returned", () => {
    const { state, types } = after(create, refuse, accept, credit);
    expect(types).toEqual(['DepositCreated', 'DepositVoided']);
    expect(refundOf(state)).toEqual({
      returnId: returnIdOf(ID, 1),
      reason: 'payer-tax-id-mismatch',
      requestedAt: NOW,
      attempt: 1,
      state: 'due',
    });
    expect(isUnfinished(state)).toBe(true);
  });

  it('states everything that the webhook needs in the event that credits it', () => {
    const { state } = after(create, accept);
    const [credited] = deposit.decide(credit, state);
    expect(credited?.data).toEqual({
      depositId: ID,
      accountId: 'a1',
      processedAt: NOW,
      orderId: null,
      type: 'pix',
      asset: 'fiat/brl',
      amount: '100.00',
      coordinates: FACTS.coordinates,
    });
  });

  it('is returned once the bank executes the return, and ignores reports about other returns', () => {
    const { state, types } = after(
      create,
      refuse,
      note('another', true),
      note(returnIdOf(ID, 1), true),
      note(returnIdOf(ID, 1), true),
      note(returnIdOf(ID, 1), false),
    );
    expect(types).toEqual(['DepositCreated', 'DepositVoided', 'DepositReturned']);
    expect(isUnfinished(state)).toBe(false);
  });

  it("records the bank's own id of its return, if the bank gives one", () => {
    const own = returnIdOf(ID, 1);
    const { state } = after(create, refuse, note(own, true, 'D1'));
    expect(refundOf(state)).toMatchObject({ state: 'done', bankReturnId: 'D1', returnedAt: NOW });
    expect(state.status === 'none' ? null : depositRecord(state)?.returned).toEqual({
      ...{ returnId: own, bankReturnId: 'D1', returnedAt: NOW },
    });
    const [event] = deposit.decide(note(own, true), after(create, refuse).state);
    expect(event?.data).toEqual({ depositId: ID, returnId: own, returnedAt: NOW });
  });

  it('gets a new return id when the bank does not execute a return, a limited number of times', () => {
    const failing = Array.from({ length: MAX_RETURNS + 2 }, (_, at) => note(returnIdOf(ID, at + 1), false));
    const { state, types } = after(create, refuse, ...failing);
    expect(types.filter((type) => type === 'DepositReturnFailed')).toHaveLength(MAX_RETURNS);
    expect(refundOf(state)).toMatchObject({ attempt: MAX_RETURNS, state: 'failed' });
    expect(isUnfinished(state)).toBe(false);
    expect(after(create, refuse, ...failing.slice(0, 1), note(returnIdOf(ID, 2), true)).state).toMatchObject({
      refund: { attempt: 2, state: 'done' },
    });
  });

  it('has all its attempts from the time at which its return is unblocked', () => {
    const later = '2026-12-20T12:00:00.000Z';
    const { state } = after(create, refuse, { kind: 'block-return', now: NOW }, { kind: 'unblock-return', now: later });
    expect(refundOf(state)).toMatchObject({ state: 'due', attempt: 1, requestedAt: NOW, attemptedFrom: later });
  });

  it('is no longer blocked once the bank has refused its return the last time', () => {
    const failing = Array.from({ length: MAX_RETURNS }, (_, at) => note(returnIdOf(ID, at + 1), false));
    const block: DepositCommand = { kind: 'block-return', now: NOW };
    const { state } = after(create, refuse, ...failing.slice(0, -1), block, ...failing.slice(-1));
    expect(refundOf(state)).toMatchObject({ state: 'failed', unblockedAt: NOW });
    expect(refundOf(state)).not.toHaveProperty('blockedAt');
  });

  it('is sent back by an earlier attempt that the bank executed after all, and by none that was not tried', () => {
    const [first, second, third] = [1, 2, 3].map((attempt) => returnIdOf(ID, attempt));
    const failed = after(create, refuse, note(first ?? '', false));
    expect(refundOf(failed.state)).toMatchObject({ attempt: 2, returnId: second, attemptedFrom: NOW });
    expect(after(create, refuse, note(first ?? '', false), note(first ?? '', false)).types).toEqual(failed.types);
    expect(after(create, refuse, note(first ?? '', false), note(third ?? '', true)).types).toEqual(failed.types);
    const { state, types } = after(
      ...[create, refuse, note(first ?? '', false), note(first ?? '', true, 'D1'), note(second ?? '', false)],
    );
    expect(types).toEqual([...failed.types, 'DepositReturned']);
    expect(refundOf(state)).toMatchObject({ state: 'done', returnId: first, bankReturnId: 'D1' });
  });

  it('is sent back once and stays credited when its order rolled back', () => {
    const { state, types } = after(create, accept, credit, requestReturn, requestReturn, note(returnIdOf(ID, 1), true));
    expect(types.slice(3)).toEqual(['DepositReturnRequested', 'DepositReturned']);
    expect(state).toMatchObject({ status: 'credited', refund: { state: 'done', reason: 'order-rolled-back' } });
    expect(after(create, accept, requestReturn).types).toHaveLength(2);
    expect(after(create, refuse, requestReturn).types).toHaveLength(2);
  });

  it('whose events are out of order cannot be read', () => {
    const [, confirmed, credited] = [create, accept, credit].map((last, at, all) =>
      deposit.decide(last, after(...all.slice(0, at)).state),
    );
    const [requested] = deposit.decide(requestReturn, after(create, accept, credit).state);
    const [returned] = deposit.decide(note(returnIdOf(ID, 1), true), after(create, refuse).state);
    const damaged = [confirmed, credited, [requested], [returned]].map((events) => events as never[]);
    for (const events of damaged) expect(() => fold(deposit, deposit.initial, events)).toThrow('damaged');
    expect(() => fold(deposit, after(create).state, [requested] as never[])).toThrow('damaged');
  });

  it('changes only between allowed states, under any commands', () => {
    const any = fc.constantFrom(
      create,
      accept,
      refuse,
      credit,
      requestReturn,
      note(returnIdOf(ID, 1), true),
      note(returnIdOf(ID, 1), false),
      note(returnIdOf(ID, 2), true),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (commands) => {
        let state = deposit.initial;
        for (const command of commands) {
          const next = fold(deposit, state, deposit.decide(command, state));
          if (state.status !== 'none' && next.status !== 'none' && next.status !== state.status)
            expect(mayMove(depositMachine, state.status, next.status)).toBe(true);
          state = next;
        }
      }),
      { numRuns: 500 },
    );
  });
});
