import type { ScreeningFinding, ScreeningHit, Timestamp } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { isSameContent } from '../account-request/findings.domain';
import type { Person } from '../account-request/screening.domain';

export type FoundHit = Pick<ScreeningHit, 'list' | 'entryId' | 'score' | 'entryVersion'>;
type Entry = Pick<ScreeningHit, 'list' | 'entryId'>;

/** A hit that staff judged a true match in a request or another account of the person, and when they did. */
export interface ConfirmedHit {
  readonly hit: ScreeningHit;
  readonly judgedAt: Timestamp;
}

/** A person of an account, as a round screens them. */
export interface ScreenedPerson {
  readonly subjectId: string;
  readonly accountId: string;
  readonly person: Person;
}

export const findingIdOf = ({ subjectId, accountId }: ScreenedPerson, { list, entryId }: Entry): string =>
  derivedId('screening-finding', subjectId, accountId, list, entryId);

export const isCleared = ({ status }: ScreeningFinding): boolean => status === 'cleared';

/** Whether the finding counts against the person: staff have not cleared it. */
export const isUncleared = (finding: ScreeningFinding): boolean => !isCleared(finding);

const isSameEntry = (a: Entry, b: Entry): boolean => a.list === b.list && a.entryId === b.entryId;

/**
 * The hits that open a finding. A hit is known if the finding of this account on the entry is not cleared, or if staff
 * judged the same content of the entry a false positive for this person, unless another account has it uncleared.
 */
export function newFindings<H extends FoundHit>(
  findings: readonly ScreeningFinding[],
  screened: ScreenedPerson,
  hits: readonly H[],
  cleared: readonly FoundHit[],
): readonly H[] {
  return hits.filter((hit) => {
    const known = findings.filter((one) => isSameEntry(one.hit, hit));
    const own = known.find(({ id }) => id === findingIdOf(screened, hit));
    if (own) return !isUncleared(own) && !isSameContent(own.hit, hit);
    if (known.some(isUncleared)) return true;
    return ![...known.map((one) => one.hit), ...cleared.filter((one) => isSameEntry(one, hit))].some((one) =>
      isSameContent(one, hit),
    );
  });
}

/** The true matches in findings about other accounts of the person, unless two approvers have cleared them since. */
const confirmedElsewhere = (
  findings: readonly ScreeningFinding[],
  { accountId }: ScreenedPerson,
): readonly ConfirmedHit[] =>
  findings
    .filter((one) => one.accountId !== accountId && isUncleared(one))
    .flatMap(({ hit, verdicts }) => {
      const match = verdicts.findLast(({ verdict }) => verdict === 'true-match');
      return match ? [{ hit, judgedAt: match.judgedAt }] : [];
    });

/**
 * The true matches of requests and of other accounts that open a finding, whatever the lists contain by now. Each does
 * so once: if two approvers clear the finding afterwards, it stays cleared.
 */
export const newlyConfirmed = (
  findings: readonly ScreeningFinding[],
  screened: ScreenedPerson,
  inRequests: readonly ConfirmedHit[],
): readonly ScreeningHit[] =>
  [...inRequests, ...confirmedElsewhere(findings, screened)]
    .filter(({ hit, judgedAt }) => {
      const own = findings.find(({ id }) => id === findingIdOf(screened, hit));
      return own === undefined || (!isUncleared(own) && own.verdicts.every((verdict) => verdict.judgedAt < judgedAt));
    })
    .map(({ hit }) => hit);

/** The hits, and those of the others whose entries they do not have, each entry once. */
export const withOthers = <H extends Entry>(hits: readonly H[], others: readonly H[]): readonly H[] =>
  others.reduce<readonly H[]>(
    (all, other) => (all.some((one) => isSameEntry(one, other)) ? all : [...all, other]),
    hits,
  );
