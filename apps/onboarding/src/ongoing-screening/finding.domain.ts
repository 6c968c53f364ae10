import type {
  FindingEvent,
  FindingStatus,
  FreezeReason,
  HitVerdict,
  ScreeningFinding,
  ScreeningHit,
  StaffActor,
  Timestamp,
  VerdictReason,
} from '@ponte/contracts';
import {
  FindingFreezeRequested,
  HIT_VERDICTS,
  ScreeningFindingJudged,
  ScreeningFindingOpened,
  ScreeningFindingSettled,
  VERDICT_REASONS,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { refuse, refuseAll } from '@ponte/kernel';
import { CONFIRMING, requireRole } from '../account-freeze/freeze-request.domain';
import { LIVENESS_LIST, MORE_MATCHES_LIST, isPepList } from '../screening/own-lists.domain';
import { wordViolations } from '../person/texts.domain';
import type { ConfirmedHit, FoundHit, ScreenedPerson } from './new-findings.domain';
import { findingIdOf, newFindings, newlyConfirmed, withOthers } from './new-findings.domain';

type Findings = readonly ScreeningFinding[];
export type FindingCommand =
  | (ScreenedPerson & {
      readonly kind: 'raise-findings';
      readonly hits: readonly ScreeningHit[];
      /** Hits that were judged false positives in requests of the person. */
      readonly cleared: readonly FoundHit[];
      /** Hits that were judged true matches in requests of the person. Default: none. */
      readonly confirmed?: readonly ConfirmedHit[];
      readonly listsVersion: string;
      readonly at: Timestamp;
    })
  | {
      readonly kind: 'judge-finding';
      readonly findingId: string;
      readonly staff: StaffActor;
      readonly version: number;
      readonly verdict: HitVerdict;
      readonly reason: VerdictReason;
      readonly note: Sealed | null;
      readonly at: Timestamp;
    }
  | { readonly kind: 'note-freeze-requested' | 'settle-finding'; readonly findingId: string; readonly at: Timestamp };

/**
 * Politically exposed people are not sanctioned: compliance decides whether their account goes on. A true match of a
 * failed session means that someone else was in front of the camera.
 */
export function freezeReasonOf({ hit }: Pick<ScreeningFinding, 'hit'>): FreezeReason {
  const list = hit.list === MORE_MATCHES_LIST ? hit.entryId : hit.list;
  if (list === LIVENESS_LIST) return 'fraud-suspected';
  return isPepList(list) ? 'compliance' : 'sanctions';
}

/**
 * Whether the finding stops the release of its account: staff have not decided it, or decided that the person is
 * sanctioned, or someone else. It does so even if the account was frozen for it, because a release ends all freezes of
 * the account, and no later round raises the match again.
 */
export const stopsRelease = (finding: ScreeningFinding): boolean =>
  finding.status === 'open' || (finding.status !== 'cleared' && freezeReasonOf(finding) !== 'compliance');

/** The evidence of the freeze that a true match requests. It has only ids: it says no more than the finding shows. */
export const freezeEvidenceOf = ({ id, hit: { list, entryId } }: Pick<ScreeningFinding, 'id' | 'hit'>): string =>
  `Screening finding ${id}: list ${list}, entry ${entryId}`;

/** Whether a freeze with this evidence was requested for the finding. */
export const isEvidenceOf = ({ id }: Pick<ScreeningFinding, 'id'>, evidence: string): boolean =>
  evidence.startsWith(`Screening finding ${id}:`);

/** Decides about the findings of one person. Hits that are known and notes that repeat change nothing. */
export function decideFinding(command: FindingCommand, findings: Findings): FindingEvent[] {
  switch (command.kind) {
    case 'raise-findings': {
      const { kind: _, hits, cleared, confirmed = [], at: openedAt, ...screened } = command;
      const found = newFindings(findings, screened, hits, cleared);
      return withOthers(found, newlyConfirmed(findings, screened, confirmed)).map(
        (hit) => new ScreeningFindingOpened({ ...screened, findingId: findingIdOf(screened, hit), hit, openedAt }),
      );
    }
    case 'judge-finding':
      return judge(command, findings);
    case 'note-freeze-requested': {
      const finding = findings.find(({ id }) => id === command.findingId);
      if (finding?.status !== 'matched' || finding.freezeRequestedAt !== null) return [];
      return [new FindingFreezeRequested({ ...about(finding), requestedAt: command.at })];
    }
    case 'settle-finding': {
      const finding = findings.find(({ id }) => id === command.findingId);
      if (finding?.status !== 'matched') return [];
      return [new ScreeningFindingSettled({ ...about(finding), settledAt: command.at })];
    }
  }
}

/**
 * A false positive needs two different approvers; a single true match is enough. A true match can be cleared at any
 * time, because until then it stops a release and counts in every request of the person.
 */
function judge(
  { findingId, staff, version, verdict, reason, note, at }: Extract<FindingCommand, { kind: 'judge-finding' }>,
  findings: Findings,
): FindingEvent[] {
  requireRole(staff, CONFIRMING);
  refuseAll([
    ...wordViolations([verdict], HIT_VERDICTS, 'verdict'),
    ...wordViolations([reason], VERDICT_REASONS, 'reason'),
  ]);
  const finding =
    findings.find(({ id }) => id === findingId) ??
    refuse('screening-finding-not-found', 'there is no such screening finding', 'id');
  const { status } = finding;
  if (status === 'cleared' || (verdict === 'true-match' && status !== 'open'))
    refuse('review-not-open', `the finding is ${status}`, 'id');
  const before = falsePositives(finding);
  if (verdict === 'false-positive' && before.includes(staff.staffId))
    refuse('second-approver-required', 'a different staff member has to give the second verdict', 'id');
  if (version !== finding.version)
    refuse('review-changed', `the finding has version ${finding.version}: read it again`, 'version');
  const agreed: FindingStatus = before.length > 0 ? 'cleared' : status;
  const { staffId, roles } = staff;
  const decided = {
    verdict,
    reason,
    note,
    staffId,
    roles,
    status: verdict === 'true-match' ? 'matched' : agreed,
  } as const;
  return [new ScreeningFindingJudged({ ...about(finding), ...decided, judgedAt: at })];
}

/** Staff who judged the finding a false positive since the last true match. */
function falsePositives({ verdicts }: ScreeningFinding): readonly string[] {
  const from = verdicts.findLastIndex(({ verdict }) => verdict === 'true-match') + 1;
  return verdicts.slice(from).map(({ staffId }) => staffId);
}

const about = ({ id: findingId, subjectId, accountId }: ScreeningFinding) => ({ findingId, subjectId, accountId });

export function evolveFindings(findings: Findings, event: FindingEvent): Findings {
  const { findingId } = event.data;
  if (event.type === 'ScreeningFindingOpened') {
    const { findingId: id, ...opened } = event.data;
    const version = (findings.find((one) => one.id === id)?.version ?? 0) + 1;
    const finding: ScreeningFinding = {
      ...{ id, version, status: 'open', verdicts: [], freezeRequestedAt: null, settledAt: null },
      ...opened,
    };
    return [...findings.filter((one) => one.id !== id), finding];
  }
  return findings.map((one) => (one.id === findingId ? changed(one, event) : one));
}

function changed(finding: ScreeningFinding, event: Exclude<FindingEvent, ScreeningFindingOpened>): ScreeningFinding {
  switch (event.type) {
    case 'ScreeningFindingJudged': {
      const { verdict, reason, note, staffId, roles, status, judgedAt } = event.data;
      const verdicts = [...finding.verdicts, { verdict, reason, note, staffId, roles, judgedAt }];
      return { ...finding, status, version: finding.version + 1, verdicts };
    }
    case 'FindingFreezeRequested':
      return { ...finding, freezeRequestedAt: event.data.requestedAt };
    case 'ScreeningFindingSettled':
      return { ...finding, status: 'settled', settledAt: event.data.settledAt };
  }
}
