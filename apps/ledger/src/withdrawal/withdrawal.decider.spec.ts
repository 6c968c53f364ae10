import {
  WithdrawalAbandoned,
  WithdrawalBroadcast,
  WithdrawalCompleted,
  WithdrawalCreated,
  WithdrawalPostponed,
  WithdrawalProcessingStarted,
  WithdrawalRolledBack,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { allowanceId, dailyAllowance } from '../daily-allowance/daily-allowance.decider';
import type { WithdrawalTerms } from './withdrawal.state';
import { withdrawal } from './withdrawal.decider';
import { HoldAbandoned, paymentIdOf, withdrawalIdOf } from './withdrawal.state';
import { failureOf } from './withdrawal.failures';

const NOW = '2027-03-01T12:00:00.000Z';
const LATER = '2027-03-02T09:30:00.000Z';
const withdrawalId = derivedId('test', 'withdrawal');
const ids = { withdrawalId, accountId: 'a1' };
const by = { createdBy: 'p1', createdByApiKey: 'ak_test_1' };
const target = { method: 'token', destinationWalletAddress: '0xabc' } as const;
const TERMS: WithdrawalTerms = {
  ...ids,
  ...by,
  parentId: 'p1',
  keyHash: null,
  bodyHash: null,
  externalId: null,
  asset: 'eth-base/usdc',
  amount: '1.500000',
  holdId: 'h1',
  target,
  scheduledFor: null,
  createdAt: NOW,
};
const createdOne = new WithdrawalCreated(TERMS);
const started = new WithdrawalProcessingStarted({
  ...ids,
  method: 'token',
  asset: TERMS.asset,
  amount: TERMS.amount,
  holdId: 'h1',
  destinationWalletAddress: '0xabc',
  startedAt: NOW,
});
const completed = new WithdrawalCompleted({
  ...ids,
  ...by,
  asset: TERMS.asset,
  amount: TERMS.amount,
  target,
  endToEndId: null,
  txHash: '0x1',
  processedAt: LATER,
});
const failure = failureOf('bank-refused');
const rolledBack = (previousState: 'created' | 'processing') =>
  new WithdrawalRolledBack({
    ...ids,
    ...by,
    asset: TERMS.asset,
    amount: TERMS.amount,
    method: 'token',
    holdId: 'h1',
    previousState,
    failure,
    rolledBackAt: LATER,
  });
const complete = { kind: 'complete', now: LATER, endToEndId: null, txHash: '0x1' } as const;
const given = scenario(withdrawal).given;

describe('A withdrawal', () => {
  it('is created, processed and completed', () => {
    given().when({ kind: 'create', terms: TERMS }).then(createdOne);
    given(createdOne).when({ kind: 'start', now: NOW }).then(started);
    given(createdOne, started).when(complete).then(completed);
  });

  it('does nothing twice', () => {
    given(createdOne)
      .when({ kind: 'create', terms: { ...TERMS, amount: '9.000000' } })
      .then();
    given(createdOne, started).when({ kind: 'start', now: LATER }).then();
    given(createdOne, started, completed).when(complete).then();
    given(createdOne, rolledBack('created')).when({ kind: 'start', now: LATER }).then();
  });

  it('is rolled back only from the state that the reason applies to', () => {
    given(createdOne).when({ kind: 'roll-back', from: 'created', failure, now: LATER }).then(rolledBack('created'));
    given(createdOne, started).when({ kind: 'roll-back', from: 'created', failure, now: LATER }).then();
    given(createdOne, started)
      .when({ kind: 'roll-back', from: 'processing', failure, now: LATER })
      .then(rolledBack('processing'));
    given(createdOne, started, completed).when({ kind: 'roll-back', from: 'processing', failure, now: LATER }).then();
  });

  it('cannot be completed before it was sent or after it was rolled back', () => {
    expect(() => given(createdOne).when(complete).events()).toThrow('cannot change from created to completed');
    expect(() => given(createdOne, started, rolledBack('processing')).when(complete).events()).toThrow(
      'cannot change from rolled-back to completed',
    );
  });

  it('can be postponed, and records its transactions', () => {
    given(createdOne)
      .when({ kind: 'postpone', until: LATER })
      .then(new WithdrawalPostponed({ ...ids, scheduledFor: LATER }));
    given(createdOne, started).when({ kind: 'postpone', until: LATER }).then();
    given(createdOne, started)
      .when({ kind: 'note-broadcast', txHash: '0x1', now: NOW })
      .then(new WithdrawalBroadcast({ ...ids, txHash: '0x1', broadcastAt: NOW }));
  });

  it('never uses a hold that was abandoned', () => {
    const abandoned = new WithdrawalAbandoned({ ...ids, holdId: 'h1' });
    given()
      .when({ kind: 'abandon', ...ids, holdId: 'h1' })
      .then(abandoned);
    given(createdOne)
      .when({ kind: 'abandon', ...ids, holdId: 'h1' })
      .then();
    expect(given(abandoned).when({ kind: 'create', terms: TERMS }).refusal()).toBeInstanceOf(HoldAbandoned);
    given(abandoned)
      .when({ kind: 'create', terms: { ...TERMS, holdId: 'h2' } })
      .then(new WithdrawalCreated({ ...TERMS, holdId: 'h2' }));
    expect(withdrawal.creation).toBe(WithdrawalCreated);
  });

  it('can be found by the id of its payment, and by no other id', () => {
    expect(withdrawalIdOf(paymentIdOf(withdrawalId))).toBe(withdrawalId);
    expect(withdrawalIdOf('E1234567820260131120000000000001')).toBeUndefined();
  });
});

describe('The daily allowance', () => {
  const take = (holdId: string, amount: string, count: number | null = null) =>
    ({
      kind: 'take',
      accountId: 'a1',
      date: '2027-03-01',
      asset: 'fiat/brl',
      amount,
      holdId,
      limit: { amount: '100.00', count },
    }) as const;
  const decide = scenario(dailyAllowance).given;
  const taken = (holdId: string, amount: string) => decide().when(take(holdId, amount)).events()[0] as never;

  it('allows exactly the limit and not a centavo more', () => {
    expect(decide(taken('h1', '60.00')).when(take('h2', '40.00')).events()).toHaveLength(1);
    expect(decide(taken('h1', '60.00')).when(take('h2', '40.01')).refusal()).toMatchObject({ code: 'limit-exceeded' });
  });

  it('limits the number of withdrawals', () => {
    expect(
      decide(taken('h1', '1.00'))
        .when(take('h2', '1.00', 1))
        .refusal(),
    ).toMatchObject({ code: 'limit-exceeded' });
  });

  it('is taken once and given back once', () => {
    expect(decide(taken('h1', '60.00')).when(take('h1', '60.00')).events()).toEqual([]);
    const back = { ...take('h1', '60.00'), kind: 'return' } as const;
    const [returned] = decide(taken('h1', '60.00')).when(back).events();
    expect(
      decide(taken('h1', '60.00'), returned as never)
        .when(take('h2', '100.00'))
        .events(),
    ).toHaveLength(1);
    expect(
      decide(taken('h1', '60.00'), returned as never)
        .when(back)
        .events(),
    ).toEqual([]);
  });

  it('is separate for each account, day and asset', () => {
    expect(
      new Set([
        allowanceId('a', 'd', 'fiat/brl'),
        allowanceId('b', 'd', 'fiat/brl'),
        allowanceId('a', 'e', 'fiat/brl'),
        allowanceId('a', 'd', 'eth-base/usdc'),
      ]).size,
    ).toBe(4);
  });
});
