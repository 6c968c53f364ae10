import * as contracts from '@ponte/contracts';
import type { AccountRequestCommand } from '../account-request.decider';
import {
  AT,
  DAY,
  about,
  approved,
  cancelled,
  given,
  requested,
  review,
  screened,
  screening,
} from '../../testing/request-history';
import type { SandboxDecision } from './sandbox-decision.domain';

const decide = (decision: SandboxDecision['decision'], more: Partial<SandboxDecision> = {}): AccountRequestCommand => ({
  kind: 'decide-in-sandbox',
  command: { decision, reason: null, items: [], ...more },
  at: AT,
});
const rejected = new contracts.AccountRequestRejected({
  ...about,
  reason: 'document-quality',
  shownReason: 'document-quality',
  rejectedAt: AT,
});
const active = new contracts.AccountRequestActivated({ ...about, activatedAt: AT });
const expired = new contracts.AccountRequestExpired({ ...about, expiredAt: AT });

describe('a decision in the sandbox', () => {
  it('changes nothing when it was already taken', () => {
    expect(given(requested(), approved).types(decide('approve'))).toEqual([]);
    expect(given(requested(), approved, active).types(decide('approve'))).toEqual([]);
    expect(given(requested(), rejected).types(decide('reject'))).toEqual([]);
    expect(given(requested(), rejected).types(decide('reject', { reason: 'document-quality' }))).toEqual([]);
  });

  it.each([
    ['approved', [approved], decide('reject')],
    ['active', [approved, active], decide('ask-information')],
    ['rejected', [rejected], decide('approve')],
    ['rejected', [rejected], decide('reject', { reason: 'duplicate' })],
    ['cancelled', [cancelled], decide('approve')],
    ['expired', [expired], decide('reject')],
  ])(
    'is refused on a request that is %s when it differs, and the refusal names that status',
    (status, past, command) => {
      expect(() => given(requested(), ...past).types(command)).toThrow(
        `the request is ${status} and cannot be decided again`,
      );
      expect(given(requested(), ...past).code(command)).toBe('account-request-not-pending');
    },
  );

  it('asks once for the same information, and refuses other items while it waits', () => {
    const informationRequested = new contracts.InformationRequested({
      ...about,
      items: ['other'],
      issues: [],
      requestedAt: AT,
      dueAt: DAY,
    });
    const waiting = given(requested(), screening(), screened(), review(), informationRequested);
    expect(waiting.types(decide('ask-information'))).toEqual([]);
    expect(waiting.types(decide('ask-information', { items: ['other'] }))).toEqual([]);
    expect(waiting.code(decide('ask-information', { items: ['source-of-funds'] }))).toBe('review-not-open');
    expect(waiting.code(decide('ask-information', { reason: 'document-quality' }))).toBe('review-not-open');
    expect(waiting.types(decide('approve'))).toEqual(['ReviewDecided', 'AccountRequestApproved']);
  });
});
