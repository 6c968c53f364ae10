import { deposit } from '../deposit/deposit.decider';
import { NOW, factsOf } from '../deposit/deposit.testing';
import type { DepositCommand } from '../deposit/deposit.state';
import { depositIdOf, isUnfinished, refundOf, returnIdOf } from '../deposit/deposit.state';
import { after, confirm, decided, propose, refusedReturn, takeBack } from '../suspense/suspense.testing';

const E2E = 'E1234567820261120120000000000001';
const ID = depositIdOf(E2E);
const facts = factsOf(E2E, '100.00', { accountId: 'a1' });
const create: DepositCommand = { kind: 'create', facts };
const refuse: DepositCommand = { kind: 'validate', validation: { accepted: false, reason: 'paid-late' }, now: NOW };
const credited: DepositCommand[] = [
  create,
  { kind: 'validate', validation: { accepted: true, accountId: 'a1' }, now: NOW },
  { kind: 'credit', now: NOW },
];
const requestReturn: DepositCommand = { kind: 'request-return', reason: 'order-rolled-back', now: NOW };
const noted = (executed: boolean): DepositCommand => ({
  ...{ kind: 'note-return', returnId: returnIdOf(ID, 1), bankReturnId: null, now: NOW },
  executed,
});
const [returned, notReturned] = [noted(true), noted(false)];

describe('The money of a payment that the bank takes back', () => {
  it('after its return is posted from loss to settlement, once', () => {
    const before = after(create, refuse, returned).state;
    const [event, ...others] = deposit.decide(takeBack, before);
    expect([event?.type, event?.data, others]).toEqual([
      'DoubleReturnPosted',
      {
        depositId: ID,
        returnId: returnIdOf(ID, 1),
        amount: { asset: 'fiat/brl', amount: '100.00' },
        postings: [
          { account: 'house:loss', asset: 'fiat/brl', amount: '-100.00' },
          { account: 'house:settlement', asset: 'fiat/brl', amount: '100.00' },
        ],
        postedAt: NOW,
      },
      [],
    ]);
    const { state, types } = after(create, refuse, returned, takeBack, takeBack, returned, takeBack);
    expect(types).toEqual(['DepositCreated', 'DepositVoided', 'DepositReturned', 'DoubleReturnPosted']);
    expect([state.status, isUnfinished(state)]).toEqual(['voided', false]);
  });

  it('after the return of a credited payment is lost too, and the deposit stays credited', () => {
    const { state, types } = after(...credited, requestReturn, returned, takeBack, takeBack);
    expect(types.slice(-2)).toEqual(['DepositReturned', 'DoubleReturnPosted']);
    expect(state.status).toBe('credited');
  });

  it('is lost if a return that was on its way is executed after all, and not otherwise', () => {
    for (const before of [
      [create, refuse],
      [...credited, requestReturn],
    ]) {
      const { state, types } = after(...before, takeBack, takeBack);
      expect([refundOf(state)?.state, isUnfinished(state)]).toEqual(['done', true]);
      for (const [notes, last] of [
        [[notReturned, notReturned], 'DepositReturnFailed'],
        [[returned, returned, notReturned], 'DoubleReturnPosted'],
      ] as const) {
        const ended = after(...before, takeBack, ...notes, takeBack);
        expect(ended.types.slice(types.length)).toEqual([last]);
        expect([refundOf(ended.state)?.state, isUnfinished(ended.state)]).toEqual(['done', false]);
      }
    }
  });

  it('records which return was the second payment, with the id that the bank gave it', () => {
    const executedReturn: DepositCommand = { ...returned, bankReturnId: 'D1' } as DepositCommand;
    const before = [create, refuse, takeBack];
    expect(decided(before, executedReturn)[0]?.data).toMatchObject({ returnId: returnIdOf(ID, 1), bankReturnId: 'D1' });
    expect(after(...before, executedReturn).state).toMatchObject({
      doubleReturn: { returnId: returnIdOf(ID, 1), bankReturnId: 'D1', postedAt: NOW },
    });
    expect(decided(before, notReturned)[0]?.data).toEqual({
      ...{ depositId: ID, returnId: returnIdOf(ID, 1), nextReturnId: null, failedAt: NOW },
    });
    const byStaff = after(...refusedReturn(E2E), propose(), confirm(), takeBack).state;
    expect(byStaff).toHaveProperty('doubleReturn', { returnId: null, postedAt: NOW });
  });

  it('is not lost if nothing was paid back before', () => {
    const failed = refusedReturn(E2E);
    for (const commands of [credited, failed, [...failed, propose()], [create]])
      expect(after(...commands, takeBack, takeBack).types).not.toContain('DoubleReturnPosted');
    expect(after(...failed, propose(), confirm(), takeBack, takeBack).types.slice(-2)).toEqual([
      'SuspenseSettled',
      'DoubleReturnPosted',
    ]);
  });
});
