import type { FindingEvent, HitVerdict, StaffActor } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import type { Person } from '../person/person.decider';
import { person } from '../person/person.decider';
import type { FindingCommand } from './finding.domain';

const AT = '2026-11-21T12:00:00.000Z';
const hit = { list: 'un', entryId: '1', score: 90, entryVersion: 'v1', match: 'sealed:v1:p:x' } as const;
const approver = (staffId: string): StaffActor => ({ staffId, roles: ['compliance-approver'] });
const idOf = (accountId: string) => derivedId('screening-finding', 's', accountId, hit.list, hit.entryId);

const opened = (accountId = 'a', change: Partial<contracts.ScreeningHit> = {}) =>
  new contracts.ScreeningFindingOpened({
    ...{ findingId: idOf(accountId), subjectId: 's', accountId, person: 'holder', listsVersion: 'l', openedAt: AT },
    hit: { ...hit, ...change },
  });
const judgedBy = (staffId: string, verdict: HitVerdict, status: contracts.FindingStatus, accountId = 'a') =>
  new contracts.ScreeningFindingJudged({
    ...{ findingId: idOf(accountId), subjectId: 's', accountId, verdict, reason: 'other', note: null, staffId },
    ...{ roles: ['compliance-approver'], status, judgedAt: AT },
  });
const cleared = (accountId = 'a') => [
  opened(accountId),
  judgedBy('one', 'false-positive', 'open', accountId),
  judgedBy('two', 'false-positive', 'cleared', accountId),
];
const matched = [opened(), judgedBy('one', 'true-match', 'matched')];
const settled = new contracts.ScreeningFindingSettled({
  ...{ findingId: idOf('a'), subjectId: 's', accountId: 'a', settledAt: AT },
});
const erased = new contracts.PersonErased({ subjectId: 's', requestedBy: 'one', erasedAt: AT });

const raise = (
  change: Partial<contracts.ScreeningHit> = {},
  accountId = 'a',
  known: readonly contracts.ScreeningHit[] = [],
): FindingCommand => ({
  ...{ kind: 'raise-findings', subjectId: 's', accountId, person: 'holder', listsVersion: 'l', at: AT },
  ...{ hits: [{ ...hit, ...change }], cleared: known },
});
const judge = (staff: StaffActor, verdict: HitVerdict, version: number): FindingCommand => ({
  ...{ kind: 'judge-finding', findingId: idOf('a'), staff, version, verdict, reason: 'other', note: null, at: AT },
});
const given = (...past: (FindingEvent | contracts.PersonErased)[]) => {
  const past0 = scenario(person).given(...past);
  return {
    events: (command: FindingCommand) => past0.when(command).events(),
    code: (command: FindingCommand) => (past0.when(command).refusal() as Refusal).code,
    finding: () => (past0.state() as Person).findings[0],
  };
};

describe('A hit on a person of an account', () => {
  it('opens a finding of the account, but not for an erased person', () => {
    expect(given().events(raise())).toEqual([opened()]);
    expect(given(erased).events(raise())).toEqual([]);
  });

  it.each([
    ['the open finding of the account', [opened()], raise({ entryVersion: 'v2' }), 0],
    ['its true match', matched, raise({ entryVersion: 'v2' }), 0],
    ['its settled true match', [...matched, settled], raise({ entryVersion: 'v2' }), 0],
    ['its false positive', cleared(), raise({ score: 99 }), 0],
    ['its false positive of an entry that changed', cleared(), raise({ entryVersion: 'v2' }), 1],
    ['a false positive of another account', cleared('b'), raise(), 0],
    ['a false positive of another account, of an entry that changed', cleared('b'), raise({ entryVersion: 'v2' }), 1],
    ['an open finding of another account', [opened('b')], raise(), 1],
    ['a false positive in a request', [], raise({}, 'a', [hit]), 0],
    ['a false positive in a request, of an entry that changed', [], raise({ entryVersion: 'v2' }, 'a', [hit]), 1],
    ['a false positive of another entry in a request', [], raise({}, 'a', [{ ...hit, entryId: '2' }]), 1],
  ])('given %s, opens a finding only for new content', (_case, past, command, count) => {
    expect(given(...past).events(command)).toHaveLength(count);
  });

  const confirmedAt = (judgedAt: string, hits: readonly contracts.ScreeningHit[] = []): FindingCommand => ({
    ...{ kind: 'raise-findings', subjectId: 's', accountId: 'a', person: 'holder', listsVersion: 'l', at: AT },
    ...{ hits, cleared: [hit], confirmed: [{ hit, judgedAt }] },
  });
  const LATER = '2026-11-21T12:00:00.001Z';

  it.each([
    ['nothing', [], AT, 1],
    ['a false positive of another account', cleared('b'), AT, 1],
    ['an open finding', [opened()], LATER, 0],
    ['a true match of the account', matched, LATER, 0],
    ['a settled true match', [...matched, settled], LATER, 0],
    ['a false positive of the account, given before', cleared(), LATER, 1],
    ['a false positive of the account, given since', cleared(), AT, 0],
  ])('that a request of the person confirmed opens a finding once, given %s', (_case, past, judgedAt, count) => {
    expect(given(...past).events(confirmedAt(judgedAt))).toHaveLength(count);
    const changed = { ...hit, entryVersion: 'v2' };
    const both = given().events(confirmedAt(judgedAt, [changed]));
    expect(both).toEqual([opened('a', changed)]);
  });
});

describe('A true match in a finding about another account of the person', () => {
  const matchedAbout = (accountId: string, judgedAt = AT) =>
    new contracts.ScreeningFindingJudged({
      ...judgedBy('one', 'true-match', 'matched', accountId).data,
      judgedAt,
    });
  const carry = raise({}, 'a');
  const carried = { ...carry, hits: [] } as FindingCommand;
  const LATER = '2026-11-21T12:00:00.001Z';

  it.each([
    ['nothing', [], 1],
    ['an open finding', [opened()], 0],
    ['a true match of its own', matched, 0],
    ['a false positive that was given before', cleared(), 1],
  ])('opens a finding, although no list has the entry any more, given %s', (_case, past, count) => {
    const events = given(...past, opened('b'), matchedAbout('b', LATER)).events(carried);
    expect(events).toEqual(count === 0 ? [] : [opened()]);
  });

  it('opens none if it was cleared, or if two approvers cleared this finding since', () => {
    expect(given(opened('b')).events(carried)).toEqual([]);
    expect(given(...cleared('b')).events(carried)).toEqual([]);
    expect(given(opened('b'), matchedAbout('b'), ...cleared()).events(carried)).toEqual([]);
    const doubted = [
      judgedBy('one', 'false-positive', 'matched', 'b'),
      judgedBy('two', 'false-positive', 'cleared', 'b'),
    ];
    expect(given(opened('b'), matchedAbout('b'), ...doubted).events(carried)).toEqual([]);
  });
});

describe('A finding', () => {
  it('is cleared by false positives of two different approvers', () => {
    expect(given(opened()).events(judge(approver('one'), 'false-positive', 1))).toMatchObject([
      { data: { status: 'open', staffId: 'one' } },
    ]);
    const once = given(opened(), judgedBy('one', 'false-positive', 'open'));
    expect(once.code(judge(approver('one'), 'false-positive', 2))).toBe('second-approver-required');
    expect(once.events(judge(approver('two'), 'false-positive', 2))).toMatchObject([{ data: { status: 'cleared' } }]);
    expect(given(...cleared()).code(judge(approver('one'), 'true-match', 3))).toBe('review-not-open');
  });

  it('is matched by one approver, and two can still clear it', () => {
    expect(given(opened()).events(judge(approver('one'), 'true-match', 1))).toMatchObject([
      { data: { status: 'matched' } },
    ]);
    expect(given(...matched).code(judge(approver('two'), 'true-match', 2))).toBe('review-not-open');
    expect(given(...matched).events(judge(approver('one'), 'false-positive', 2))).toMatchObject([
      { data: { status: 'matched' } },
    ]);
    const doubted = given(...matched, judgedBy('one', 'false-positive', 'matched'));
    expect(doubted.events(judge(approver('two'), 'false-positive', 3))).toMatchObject([
      { data: { status: 'cleared' } },
    ]);
  });

  it('that is settled can be cleared by two approvers, and not be matched again', () => {
    expect(given(...matched, settled).code(judge(approver('two'), 'true-match', 2))).toBe('review-not-open');
    expect(given(...matched, settled).events(judge(approver('two'), 'false-positive', 2))).toMatchObject([
      { data: { status: 'settled' } },
    ]);
    const doubted = given(...matched, settled, judgedBy('one', 'false-positive', 'settled'));
    expect(doubted.code(judge(approver('one'), 'false-positive', 3))).toBe('second-approver-required');
    expect(doubted.events(judge(approver('two'), 'false-positive', 3))).toMatchObject([
      { data: { status: 'cleared' } },
    ]);
  });

  it('refuses a verdict on another version, by an analyst, with unknown words, or on no finding', () => {
    const past = given(opened(), judgedBy('one', 'false-positive', 'open'));
    expect(past.code(judge(approver('two'), 'false-positive', 1))).toBe('review-changed');
    const analyst: StaffActor = { staffId: 'two', roles: ['compliance-analyst'] };
    expect(past.code(judge(analyst, 'false-positive', 2))).toBe('role-not-allowed');
    expect(past.code(judge(approver('two'), 'unsure' as HitVerdict, 2))).toBe('invalid-enum-value');
    expect(given().code(judge(approver('two'), 'false-positive', 1))).toBe('screening-finding-not-found');
  });

  it('needs two new verdicts and has another version after its entry changed', () => {
    const past = given(...cleared(), opened('a', { entryVersion: 'v2' }));
    expect(past.finding()).toMatchObject({ status: 'open', version: 4, verdicts: [] });
    expect(past.events(judge(approver('one'), 'false-positive', 4))).toMatchObject([{ data: { status: 'open' } }]);
  });

  it('notes a request for a freeze once, and is settled only after a true match', () => {
    const [note, settle] = (['note-freeze-requested', 'settle-finding'] as const).map((kind) => ({
      ...{ kind, findingId: idOf('a'), at: AT },
    })) as [FindingCommand, FindingCommand];
    const noted = given(...matched).events(note);
    expect(noted).toMatchObject([{ type: 'FindingFreezeRequested' }]);
    expect(given(...matched, ...(noted as FindingEvent[])).events(note)).toEqual([]);
    expect(given(...matched).events(settle)).toEqual([settled]);
    expect([...given(opened()).events(note), ...given(opened()).events(settle)]).toEqual([]);
  });
});
