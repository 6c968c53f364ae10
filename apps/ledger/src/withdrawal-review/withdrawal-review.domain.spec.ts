import type { AddressHit, WithdrawalEvent } from '@ponte/contracts';
import {
  WithdrawalCreated,
  WithdrawalHeldForReview,
  WithdrawalReviewed,
  WithdrawalRolledBack,
  addressReviewVersion,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { WithdrawalCommand, WithdrawalTerms } from '../withdrawal/withdrawal.state';
import { withdrawal } from '../withdrawal/withdrawal.decider';
import { failureOf } from '../withdrawal/withdrawal.failures';
import { verdictOf } from './withdrawal-review.domain';

const NOW = '2027-03-01T12:00:00.000Z';
const ids = { withdrawalId: 'w1', accountId: 'a1' };
const target = { method: 'token', destinationWalletAddress: '0xabc' } as const;
const TERMS: WithdrawalTerms = {
  ...ids,
  createdBy: 'p1',
  createdByApiKey: 'ak_test_1',
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
const hit = (entryId: string): AddressHit => ({ list: 'sdn', entryId, programs: [] });
const created = new WithdrawalCreated(TERMS);
const heldForReview = (...entries: string[]) =>
  new WithdrawalHeldForReview({ ...ids, hits: entries.map(hit), heldAt: NOW });
type Verdict = 'false-positive' | 'true-match';
const reviewed = (staffId: string, verdict: Verdict = 'false-positive') =>
  new WithdrawalReviewed({ ...ids, verdict, reason: 'r' as never, staffId, reviewedAt: NOW });
const given = (...past: WithdrawalEvent[]) => scenario(withdrawal).given(created, ...past);

const reviewOf = (...past: WithdrawalEvent[]) => {
  const state = given(...past).state();
  if (state.status !== 'created' || state.review === null) throw new Error('no review');
  return state.review;
};
/** The verdict of a staff member who has read the review as it is after these events. */
const verdict = (staffId: string, read: WithdrawalEvent[], what: Verdict = 'false-positive') =>
  ({
    kind: 'review',
    version: addressReviewVersion(reviewOf(...read)),
    verdict: what,
    reason: 'r' as never,
    staffId,
    now: NOW,
  }) as WithdrawalCommand;
const START = { kind: 'start', now: NOW } as const;
const refusal = (command: WithdrawalCommand, ...past: WithdrawalEvent[]) =>
  given(...past)
    .when(command)
    .refusal();

describe('A withdrawal to a listed address', () => {
  const two = [heldForReview('e1'), reviewed('anna'), reviewed('bruno')];

  it('is held once for the same hits, and again for any other hit', () => {
    const hold = (...entries: string[]) => ({ kind: 'hold-for-review', hits: entries.map(hit), now: NOW }) as const;
    given().when(hold('e1')).then(heldForReview('e1'));
    given(heldForReview('e1', 'e2')).when(hold('e2')).then();
    given(heldForReview('e1')).when(hold('e1', 'e2')).then(heldForReview('e1', 'e2'));
    given(...two)
      .when(hold('e1'))
      .then();
    const started = given().when(START).events()[0] as never;
    given(started).when(hold('e1')).then();
  });

  it('is not sent before two different staff members clear it', () => {
    given(heldForReview('e1')).when(START).then();
    given(heldForReview('e1'), reviewed('anna')).when(START).then();
    expect(
      given(...two)
        .when(START)
        .events(),
    ).toHaveLength(1);
    given(heldForReview('e1'))
      .when(verdict('anna', [heldForReview('e1')]))
      .then(reviewed('anna'));
    const once = [heldForReview('e1'), reviewed('anna')];
    expect(refusal(verdict('anna', once), ...once)).toMatchObject({ code: 'second-approver-required' });
    given(...once)
      .when(verdict('bruno', once))
      .then(reviewed('bruno'));
    const others = [heldForReview('e1'), reviewed('anna'), heldForReview('e1', 'e2')];
    given(...others)
      .when(START)
      .then();
    given(...others)
      .when(verdict('anna', others))
      .then(reviewed('anna'));
  });

  it('is rolled back by the first true match, also of who cleared it before', () => {
    const once = [heldForReview('e1'), reviewed('anna')];
    const rolledBack = new WithdrawalRolledBack({
      ...ids,
      createdBy: TERMS.createdBy,
      createdByApiKey: TERMS.createdByApiKey,
      asset: TERMS.asset,
      amount: TERMS.amount,
      method: 'token',
      holdId: 'h1',
      previousState: 'created',
      failure: failureOf('compliance'),
      rolledBackAt: NOW,
    });
    for (const staffId of ['anna', 'bruno'])
      given(...once)
        .when(verdict(staffId, once, 'true-match'))
        .then(reviewed(staffId, 'true-match'), rolledBack);
  });

  it('takes a verdict only while it waits for one, and only on what was read', () => {
    const command = verdict('clara', two);
    expect(refusal(command)).toMatchObject({ code: 'review-not-open' });
    expect(refusal(command, ...two)).toMatchObject({ code: 'review-not-open' });
    const started = given(...two)
      .when(START)
      .events()[0] as never;
    expect(refusal(command, ...two, started)).toMatchObject({ code: 'review-not-open' });
    expect(refusal(command, heldForReview('e1'))).toMatchObject({
      code: 'review-changed',
      violations: [{ path: 'version' }],
    });
  });

  it('has a final verdict after a true match or two verdicts', () => {
    const match = reviewed('bruno', 'true-match');
    expect(verdictOf(reviewOf(heldForReview('e1')))).toBeNull();
    expect(verdictOf(reviewOf(heldForReview('e1'), reviewed('anna')))).toBeNull();
    expect(verdictOf(reviewOf(...two))).toMatchObject({ staffId: 'bruno', verdict: 'false-positive' });
    expect(verdictOf(reviewOf(heldForReview('e1'), match))).toMatchObject({ staffId: 'bruno', verdict: 'true-match' });
  });
});
