import * as contracts from '@ponte/contracts';
import type { AccountRequestCommand } from '../account-request/account-request.decider';
import {
  AT,
  about,
  analyst,
  approval,
  approve,
  approver,
  APPROVED,
  given,
  hit,
  judge,
  kyc,
  liveness,
  review,
  screened,
  screening,
  sealed,
  verdict,
} from '../testing/reviewed-requests';
import { caseVersion } from './case-changes.domain';

const informationRequested = [
  new contracts.ReviewDecided({
    ...about,
    decision: 'ask-information',
    final: true,
    staffId: 'analyst',
    note: null,
    decidedAt: AT,
  }),
  new contracts.InformationRequested({ ...about, items: ['other'], issues: [], requestedAt: AT, dueAt: AT }),
] as const;
const provided = new contracts.InformationProvided({
  ...about,
  holder: { address: null, document: null },
  representative: { address: null, document: null, powerOfAttorneyFileId: null },
  liveness: null,
  otherFileIds: ['ev_2'],
  note: sealed,
  providedAt: AT,
});
const shared = new contracts.LivenessShared({
  ...about,
  sessionFingerprint: 'l',
  sharedWith: ['other'],
  noticedAt: AT,
});
const duplicates = new contracts.DuplicatesFound({
  ...about,
  duplicates: [{ kind: 'email', requestIds: ['other'] }],
  foundAt: AT,
});
const escalated = new contracts.ReviewEscalated({ ...about, staffId: 'x', note: sealed, escalatedAt: AT });
const claimed = new contracts.ReviewClaimed({ ...about, staffId: 'one', claimedAt: AT });
const released = new contracts.ReviewReleased({ ...about, staffId: 'one', releasedAt: AT });

const read = [kyc(), screening(), screened([hit]), review(), verdict('false-positive')] as const;
const version = caseVersion(given(...read).state());

describe('An approval names the version of the case that was read', () => {
  it.each([
    ['a colleague changed the verdict', [verdict('false-positive')], 'a verdict on a screening hit'],
    ['a liveness result arrived', [liveness('passed')], 'a liveness result'],
    ['a session is shared', [shared], 'liveness session'],
    ['another request with the same e-mail address was found', [duplicates], 'same data'],
    ['a colleague escalated it', [escalated], 'escalated'],
    ['another approver approved', [approval('two')], 'an approval'],
    [
      'the partner sent information and it was screened again',
      [...informationRequested, provided, screening(2), screened([hit], 2), review()],
      'the partner sent information',
    ],
  ] as const)('%s meanwhile: the approval is refused, and says so', (_case, changes, says) => {
    const late = given(...read, ...changes);
    expect(late.code(approve(approver('one'), [], version))).toBe('review-changed');
    expect(late.message(approve(approver('one'), [], version))).toContain(says);
    expect(late.types(approve(approver('one')))).not.toEqual([]);
  });

  it('is refused while the session is shared with a request that the case did not show', () => {
    expect(given(...read).code(approve(approver('one'), ['other']))).toBe('review-changed');
    expect(given(...read, shared).types(approve(approver('one'), ['other']))).toEqual(['ReviewDecided']);
  });

  it('applies to a request that takes one approver too', () => {
    const plain = [kyc(), screening(), liveness('passed'), screened(), review(['standard'])] as const;
    const before = caseVersion(given(...plain).state());
    const later = given(
      ...plain,
      ...informationRequested,
      provided,
      screening(2),
      screened([], 2),
      review(['standard']),
    );
    expect(later.code(approve(analyst, [], before))).toBe('review-changed');
    expect(later.types(approve(analyst))).toEqual(APPROVED);
  });

  it('stays valid when a colleague only claims or releases the case', () => {
    expect(given(...read, claimed, released).types(approve(approver('one'), [], version))).toEqual(['ReviewDecided']);
  });

  it('is refused for a version that the case does not have', () => {
    for (const wrong of [version + 1, 0, 1.5, Number.NaN])
      expect(given(...read).code(approve(approver('one'), [], wrong))).toBe('review-changed');
  });

  it('is not needed to repeat the approval that decided', () => {
    const approved = new contracts.AccountRequestApproved({ ...about, approvedBy: ['one', 'two'], approvedAt: AT });
    expect(given(...read, approval('one'), approval('two'), approved).types(approve(approver('two'), [], 1))).toEqual(
      [],
    );
  });
});

describe('Duplicates', () => {
  const note = (kind: contracts.TraitKind, ...requestIds: string[]): AccountRequestCommand => ({
    kind: 'note-related-findings',
    found: { liveness: null, duplicates: [{ kind, requestIds }], stopped: [] },
    at: AT,
  });

  it('are recorded once, each with its kind, while the request is pending', () => {
    expect(given(...read).types(note('email', 'other'))).toEqual(['DuplicatesFound']);
    expect(given(...read, duplicates).types(note('email', 'other'))).toEqual([]);
    expect(given(...read, duplicates).types(note('email', 'other', 'third'))).toEqual(['DuplicatesFound']);
    expect(given(...read, duplicates).types(note('phone', 'other'))).toEqual(['DuplicatesFound']);
    const over = new contracts.AccountRequestCancelled({ ...about, cancelledAt: AT });
    expect(given(...read, over).types(note('email', 'other'))).toEqual([]);
  });

  it('that are found after the first approval end it: the approver has not seen them', () => {
    expect(given(...read, approval('one'), duplicates).state().approvals).toEqual([]);
  });
});

describe('Every other decision names the version too', () => {
  const decide = (command: object, at = version): AccountRequestCommand => ({
    kind: 'review',
    command: { staff: approver('one'), version: at, note: null, at: AT, ...command } as never,
  });
  const escalation = { kind: 'escalate' };
  it.each([
    ['a rejection', { kind: 'reject', reason: 'pep' }, ['ReviewDecided', 'AccountRequestRejected']],
    [
      'a request for information',
      { kind: 'ask-information', items: ['other'], issues: [] },
      ['ReviewDecided', 'InformationRequested'],
    ],
    ['an escalation', escalation, ['ReviewEscalated']],
  ] as const)('%s of a case that has changed is refused, and says why', (_case, command, events) => {
    const later = given(...read, verdict('false-positive'));
    expect(later.code(decide(command))).toBe('review-changed');
    expect(later.message(decide(command))).toContain('a verdict on a screening hit');
    expect(later.types(decide(command, version + 1))).toEqual(events);
    expect(given(...read, claimed, released).types(decide(command))).toEqual(events);
    const shared = { liveness: { sessionFingerprint: 'l', sharedWith: ['other'] }, duplicates: [], stopped: [] };
    expect(given(...read).code(decide({ ...command, found: shared }))).toBe('review-changed');
    const duplicated = { liveness: null, duplicates: [{ kind: 'email', requestIds: ['other'] }], stopped: [] };
    expect(given(...read).message(decide({ ...command, found: duplicated }))).toContain('same data');
  });

  it('except an escalation that is repeated, which changes nothing', () => {
    expect(given(...read, escalated).types(decide(escalation))).toEqual([]);
  });
});

describe('A verdict', () => {
  const other: AccountRequestCommand = {
    kind: 'review',
    command: { ...(judge('false-positive') as never as { command: object }).command, reason: 'name-differs' } as never,
  };

  it('that changes after the first approval ends that approval: the approver has not read it', () => {
    const approved = given(...read, approval('one'));
    expect(approved.types(other)).toEqual(['ScreeningHitJudged']);
    const changed = [...read, approval('one'), verdict('false-positive')] as const;
    expect(given(...changed).state().approvals).toEqual([]);
    expect(given(...changed).types(approve(approver('two')))).toEqual(['ReviewDecided']);
    expect(given(...changed, approval('two')).types(approve(approver('one')))).toEqual(APPROVED);
  });

  it('that is repeated changes nothing, so the first approval stays', () => {
    expect(given(...read, approval('one')).types(judge('false-positive'))).toEqual([]);
  });

  it('is about the score that was read, not about a later one', () => {
    const again = [...read, screening(2), screened([{ ...hit, score: 90 }], 2), review()] as const;
    expect(given(...again).code(judge('false-positive'))).toBe('review-changed');
    expect(given(...again).message(judge('false-positive'))).toContain('90');
  });
});
