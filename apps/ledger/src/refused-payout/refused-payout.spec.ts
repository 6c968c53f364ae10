import type { WithdrawalEvent } from '@ponte/contracts';
import {
  RefusedPayoutAlreadyPosted,
  RefusedPayoutPosted,
  RefusedPayoutChecked,
  WithdrawalCreated,
  WithdrawalProcessingStarted,
  WithdrawalRolledBack,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { addSeconds } from '@ponte/kernel';
import { withdrawal } from '../withdrawal/withdrawal.decider';
import { failureOf } from '../withdrawal/withdrawal.failures';
import { CHECK_AGAIN_SECONDS } from './refused-payout.domain';

const AT = '2027-03-01T12:00:00.000Z';
const [HOUR, DAY, WEEK] = CHECK_AGAIN_SECONDS;
const ids = { withdrawalId: 'w1', accountId: 'a1' };
const by = { createdBy: 'p1', createdByApiKey: 'ak_test_1' };
const payee = { taxIdFingerprint: 'f', bankCode: '001' } as never;
const held = { asset: 'fiat/brl', amount: '10.00', holdId: 'h1' } as const;

const created = (method: 'ted' | 'token') =>
  new WithdrawalCreated({
    ...{ ...ids, ...by, ...held, parentId: 'p1', keyHash: null, bodyHash: null, externalId: null },
    target: method === 'ted' ? { method, payee } : { method, destinationWalletAddress: '0xabc' },
    ...{ scheduledFor: null, createdAt: AT, orderId: 'o1' },
  });
const started = (method: 'ted' | 'token') =>
  new WithdrawalProcessingStarted({ ...ids, ...held, method, destinationWalletAddress: null, startedAt: AT });
const rolledBack = (method: 'ted' | 'token', previousState: 'created' | 'processing') =>
  new WithdrawalRolledBack({
    ...{ ...ids, ...by, ...held, method, previousState },
    ...{ failure: failureOf('bank-refused'), rolledBackAt: AT },
  });
const REFUSED: readonly WithdrawalEvent[] = [created('ted'), started('ted'), rolledBack('ted', 'processing')];
const note = (status: 'completed' | 'refused' | 'pending' | 'unknown', seconds: number) =>
  ({
    kind: 'note-refused-payout',
    status,
    endToEndId: status === 'completed' ? 'E1' : null,
    now: addSeconds(AT, seconds),
  }) as const;
const checked = (status: 'refused' | 'pending' | 'unknown', seconds: number) =>
  new RefusedPayoutChecked({ ...ids, status, checkedAt: addSeconds(AT, seconds) });
const posted = (seconds: number) =>
  new RefusedPayoutPosted({
    ...{ ...ids, orderId: 'o1', endToEndId: 'E1', amount: { asset: 'fiat/brl', amount: '10.00' } },
    postings: [
      { account: 'house:loss', asset: 'fiat/brl', amount: '-10.00' },
      { account: 'house:settlement', asset: 'fiat/brl', amount: '10.00' },
    ],
    postedAt: addSeconds(AT, seconds),
  });
const dueAfter = (...events: readonly WithdrawalEvent[]) => {
  const state = scenario(withdrawal)
    .given(...events)
    .state();
  return state.status === 'rolled-back' ? (state.refusedPayout?.checkAgainAt ?? null) : 'not rolled back';
};

describe('A payout that the bank refused', () => {
  it('is checked again after an hour, a day and a week', () => {
    expect(dueAfter(...REFUSED)).toBe(addSeconds(AT, HOUR));
    expect(dueAfter(...REFUSED, checked('refused', HOUR + 5))).toBe(addSeconds(AT, DAY));
    expect(dueAfter(...REFUSED, checked('refused', HOUR + 5), checked('unknown', DAY))).toBe(addSeconds(AT, WEEK));
    expect(dueAfter(...REFUSED, checked('refused', WEEK))).toBeNull();
  });

  it('is checked at the same times if it was rolled back before it was sent, and is a loss if the bank made it', () => {
    const unsent = [created('ted'), rolledBack('ted', 'created')];
    expect(dueAfter(...unsent)).toBe(addSeconds(AT, HOUR));
    scenario(withdrawal)
      .given(...unsent)
      .when(note('unknown', HOUR))
      .then(checked('unknown', HOUR));
    scenario(withdrawal)
      .given(...unsent, checked('unknown', HOUR))
      .when(note('completed', DAY))
      .then(posted(DAY));
  });

  it('is checked daily while the bank calls it pending', () => {
    expect(dueAfter(...REFUSED, checked('pending', WEEK + 5))).toBe(addSeconds(AT, WEEK + 5 + DAY));
    expect(dueAfter(...REFUSED, checked('pending', WEEK + 5), checked('refused', WEEK + DAY + 5))).toBeNull();
  });

  it('records an answer only when it was due', () => {
    const given = () => scenario(withdrawal).given(...REFUSED);
    given()
      .when(note('refused', HOUR - 1))
      .then();
    given().when(note('refused', HOUR)).then(checked('refused', HOUR));
    scenario(withdrawal)
      .given(...REFUSED, checked('refused', HOUR))
      .when(note('refused', HOUR + 1))
      .then();
  });

  it('is a loss of the house, once, if the bank made it, at whatever time that is found', () => {
    for (const seconds of [1, WEEK * 2])
      scenario(withdrawal)
        .given(...REFUSED, checked('refused', WEEK))
        .when(note('completed', seconds))
        .then(posted(seconds));
    const made = [...REFUSED, posted(5)];
    for (const status of ['completed', 'refused'] as const)
      scenario(withdrawal)
        .given(...made)
        .when(note(status, WEEK))
        .then();
    expect(dueAfter(...made)).toBeNull();
  });

  it('is no loss, and is not checked again, if the account had been debited for it', () => {
    const answer = { ...note('completed', 5), status: 'already-posted' } as const;
    const ended = new RefusedPayoutAlreadyPosted({ ...ids, endToEndId: 'E1', checkedAt: addSeconds(AT, 5) });
    scenario(withdrawal)
      .given(...REFUSED)
      .when(answer)
      .then(ended);
    for (const status of ['completed', 'refused'] as const)
      scenario(withdrawal)
        .given(...REFUSED, ended)
        .when(note(status, WEEK))
        .then();
    scenario(withdrawal)
      .given(...REFUSED, posted(5))
      .when(answer)
      .then();
    expect(dueAfter(...REFUSED, ended)).toBeNull();
  });

  it('stays rolled back for the account, even if the bank made it', () => {
    const state = scenario(withdrawal)
      .given(...REFUSED, posted(5))
      .state();
    expect(state).toMatchObject({ status: 'rolled-back', since: AT, failure: { code: 'bank-refused' } });
  });
});

it.each([
  ['was to send tokens', [created('token'), started('token'), rolledBack('token', 'processing')]],
  ['was to send tokens later', [created('token'), rolledBack('token', 'created')]],
  ['is still being paid', [created('ted'), started('ted')]],
])('A withdrawal that %s is not checked again', (_, events) => {
  for (const status of ['completed', 'refused'] as const)
    scenario(withdrawal)
      .given(...events)
      .when(note(status, WEEK))
      .then();
});

describe('What a later version recorded about a withdrawal whose payout this version does not check', () => {
  const given = (event: WithdrawalEvent) =>
    scenario(withdrawal).given(created('token'), started('token'), rolledBack('token', 'processing'), event);

  it('can be read: the withdrawal stays rolled back, and nothing is recorded twice', () => {
    const alreadyPosted = new RefusedPayoutAlreadyPosted({ ...ids, endToEndId: 'E1', checkedAt: AT });
    for (const event of [checked('unknown', HOUR), posted(HOUR), alreadyPosted]) {
      expect(given(event).state()).toMatchObject({ status: 'rolled-back', since: AT });
      for (const status of ['completed', 'refused'] as const) given(event).when(note(status, DAY)).then();
    }
  });

  it('keeps the payment that the bank made, so that staff still see its loss', () => {
    expect(given(checked('unknown', HOUR)).state()).toMatchObject({ refusedPayout: null });
    const made = { endToEndId: 'E1', postedAt: addSeconds(AT, HOUR) };
    expect(given(posted(HOUR)).state()).toMatchObject({ refusedPayout: { checkAgainAt: null, made } });
  });
});
