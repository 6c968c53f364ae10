import type { AccountRequestEvent, Timestamp } from '@ponte/contracts';
import { DuplicatesFound, StoppedAccountsFound } from '@ponte/contracts';
import type { OpenRequest } from '../account-request/account-request.state';
import { isKnownDuplicate, stoppedAccountsOf } from '../account-request/findings.domain';
import { subject } from '../account-request/moves.domain';
import type { Person } from '../account-request/screening.domain';
import { noteSharedLiveness } from '../account-request/screening.domain';

type Duplicates = DuplicatesFound['data']['duplicates'];

/** What a case shows that other streams keep, recorded in the request or not. */
export interface RelatedFindings {
  /** Other people's requests that name the session of the request; null if it names none. */
  readonly liveness: { readonly sessionFingerprint: string; readonly sharedWith: readonly string[] } | null;
  /** Other requests with the same data. */
  readonly duplicates: Duplicates;
  /** The accounts of each person of the request that were stopped. */
  readonly stopped: readonly { readonly person: Person; readonly accountIds: readonly string[] }[];
}

export interface NoteRelatedFindings {
  readonly kind: 'note-related-findings';
  readonly found: RelatedFindings;
  readonly at: Timestamp;
}

/** Records in the request what it does not contain yet, so that the version of the case includes it. */
export function noteRelatedFindings(
  { liveness, duplicates, stopped }: RelatedFindings,
  at: Timestamp,
  state: OpenRequest,
): AccountRequestEvent[] {
  if (state.status !== 'pending') return [];
  const news = duplicates
    .map(({ kind, requestIds }) => ({
      kind,
      requestIds: requestIds.filter((id) => !isKnownDuplicate(state, kind, id)),
    }))
    .filter(({ requestIds }) => requestIds.length > 0);
  const known = stoppedAccountsOf(state);
  const stops = stopped
    .map(({ person, accountIds }) => ({ person, stoppedAccounts: accountIds.filter((id) => !known.includes(id)) }))
    .filter(({ stoppedAccounts }) => stoppedAccounts.length > 0);
  return [
    ...(liveness ? noteSharedLiveness({ kind: 'note-shared-liveness', ...liveness, at }, state) : []),
    ...(news.length > 0 ? [new DuplicatesFound({ ...subject(state), duplicates: news, foundAt: at })] : []),
    ...stops.map((stop) => new StoppedAccountsFound({ ...subject(state), ...stop, foundAt: at })),
  ];
}
