import type { HitVerdict, ScreeningHit } from '@ponte/contracts';
import type { OpenRequest } from '../account-request/account-request.state';
import type { Hit } from '../account-request/findings.domain';
import { hitsOf, verdictOf } from '../account-request/findings.domain';
import type { ConfirmedHit } from '../ongoing-screening/new-findings.domain';

/** A request, and the role of the person in it. */
export interface RequestOfPerson {
  readonly state: OpenRequest;
  readonly role: Hit['person'];
}

/** Hits on the person, except those in one request, that staff have not judged false positives. */
export const unclearedHits = (requests: readonly RequestOfPerson[], exceptIn: string): readonly ScreeningHit[] =>
  hits(
    requests.filter(({ state }) => state.terms.requestId !== exceptIn),
    (verdict) => verdict !== 'false-positive',
  );

/** Hits on the person in any request that staff have judged false positives. */
export const clearedHits = (requests: readonly RequestOfPerson[]): readonly ScreeningHit[] =>
  hits(requests, (verdict) => verdict === 'false-positive');

/** Hits on the person in any request that staff have judged true matches. */
export const confirmedHits = (requests: readonly RequestOfPerson[]): readonly ConfirmedHit[] =>
  requests.flatMap(({ state, role }) =>
    hitsOf(state).flatMap(({ person: of, ...hit }) => {
      const verdict = verdictOf(state, { ...hit, person: of });
      return of === role && verdict?.verdict === 'true-match' ? [{ hit, judgedAt: verdict.judgedAt }] : [];
    }),
  );

const hits = (
  requests: readonly RequestOfPerson[],
  isWanted: (verdict: HitVerdict | undefined) => boolean,
): readonly ScreeningHit[] =>
  requests
    .flatMap(({ state, role }) =>
      hitsOf(state).filter((hit) => hit.person === role && isWanted(verdictOf(state, hit)?.verdict)),
    )
    .map(({ person: _, ...hit }) => hit);
