import type { ScreeningHit, StaffActor } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import type { AccountRequestCommand } from '../account-request/account-request.decider';
import { needsTwoApprovers } from '../account-request/four-eyes.domain';
import { openHits } from '../account-request/findings.domain';
import { caseVersion } from '../review/case-changes.domain';
import {
  about,
  approved,
  AT,
  given,
  hit,
  record,
  requested,
  review,
  screened,
  screening,
} from '../testing/request-history';

const again = (...hits: ScreeningHit[]): AccountRequestCommand => ({
  kind: 'repeat-screening',
  person: 'holder',
  hits,
  listsVersion: 'lists-2',
  at: AT,
});
const repeated = (...hits: ScreeningHit[]) =>
  new contracts.ScreeningRepeated({
    ...about,
    round: 1,
    person: 'holder',
    hits,
    listsVersion: 'lists-2',
    recordedAt: AT,
  });
const judged = (
  { list, entryId, score, entryVersion }: ScreeningHit,
  verdict: contracts.HitVerdict = 'false-positive',
) =>
  new contracts.ScreeningHitJudged({
    ...{ ...about, person: 'holder', list, entryId, score, entryVersion, verdict },
    ...{ reason: 'other', note: null, staffId: 'one', judgedAt: AT },
  });
const approver: StaffActor = { staffId: 'two', roles: ['compliance-approver'] };
const underReview = [requested(), screening(), screened(), review()] as const;
const versioned = { ...hit, entryVersion: 'v1' };
const changed = { ...hit, entryVersion: 'v2' };

describe('Screening a pending request again', () => {
  it('records a new hit, after which two approvers decide, and the case has another version', () => {
    const before = given(...underReview).state();
    expect([given(...underReview).types(again(hit)), needsTwoApprovers(before)]).toEqual([
      ['ScreeningRepeated'],
      false,
    ]);
    const after = given(...underReview, repeated(hit)).state();
    expect([openHits(after).length, needsTwoApprovers(after), caseVersion(after) - caseVersion(before)]).toEqual([
      1,
      true,
      1,
    ]);
    expect(after.causes).toEqual(['screening-hit', 'four-eyes']);
  });

  it('refuses a verdict on the entry as it was before, even with the same score', () => {
    const verdict = (entryVersion?: string | null): AccountRequestCommand => ({
      kind: 'review',
      command: {
        ...{ kind: 'judge-hit', staff: approver, person: 'holder', list: hit.list, entryId: hit.entryId, at: AT },
        ...{ score: hit.score, entryVersion, verdict: 'false-positive', reason: 'other', note: null },
      },
    });
    const late = given(...underReview, repeated(versioned), repeated(changed));
    for (const read of ['v1', null, undefined]) expect(late.code(verdict(read))).toBe('review-changed');
    expect(late.types(verdict('v2'))).toEqual(['ScreeningHitJudged']);
    // A vendor gives no version, so the verdict names no version.
    expect(given(...underReview, repeated(hit)).types(verdict(null))).toEqual(['ScreeningHitJudged']);
    expect(given(...underReview, repeated(hit)).code(verdict('v1'))).toBe('review-changed');
  });

  it('ends a first approval, and refuses an approval of the case that was read before', () => {
    const approval: AccountRequestCommand = {
      kind: 'review',
      command: { kind: 'approve', staff: approver, version: 2, note: null, at: AT },
    };
    const first = new contracts.ReviewDecided({
      ...{ ...about, decision: 'approve', final: false, staffId: 'one', note: null, decidedAt: AT },
    } as const);
    const past = [requested({ fourEyes: true }), screening(), screened(), review(), first] as const;
    expect(given(...past).types(approval)).toContain('AccountRequestApproved');
    const withHit = given(...past, repeated(hit));
    expect([withHit.state().approvals, withHit.code(approval)]).toEqual([[], 'screening-verdict-required']);
    expect(given(...past, repeated(hit), judged(hit)).code(approval)).toBe('review-changed');
  });

  it.each([
    ['an open hit, also with another content', [repeated(versioned)], changed, false],
    ['a true match, also with another content', [repeated(versioned), judged(versioned, 'true-match')], changed, false],
    ['a false positive with the same content', [repeated(versioned), judged(versioned)], versioned, false],
    [
      'one with the same content and another score',
      [repeated(versioned), judged(versioned)],
      { ...versioned, score: 95 },
      false,
    ],
    ['one of unknown content with the same score', [repeated(hit), judged(hit)], versioned, false],
    ['one of unknown content with another score', [repeated(hit), judged(hit)], { ...versioned, score: 95 }, true],
    ['one whose entry changed', [repeated(versioned), judged(versioned)], changed, true],
  ] as const)('given %s, records nothing new unless the entry changed', (_case, past, found, isNew) => {
    expect(given(...underReview, ...past).types(again(found))).toEqual(isNew ? ['ScreeningRepeated'] : []);
  });

  it('needs a new verdict when the content of an entry changed, even if the score is the same', () => {
    const past = [...underReview, repeated(versioned), judged(versioned), repeated(changed)] as const;
    expect(openHits(given(...past).state())).toMatchObject([{ entryVersion: 'v2' }]);
    expect(openHits(given(...past, judged(changed)).state())).toEqual([]);
  });

  it('records only the new hits of several', () => {
    const other = { ...hit, entryId: '2' };
    const past = given(requested(), screening(), screened([hit]), review());
    expect(past.types(again(hit))).toEqual([]);
    const command = again(hit, other);
    expect(past.types(command)).toEqual(['ScreeningRepeated']);
  });

  it('changes nothing before the first result, after information arrived, and once the request is decided', () => {
    expect(given(requested(), screening()).types(again(hit))).toEqual([]);
    expect(given(...underReview, screening(2)).types(again(hit))).toEqual([]);
    expect(given(...underReview, approved).types(again(hit))).toEqual([]);
    expect(given(...underReview, screening(2)).types(record([hit], 2))).toContain('ScreeningRecorded');
  });
});
