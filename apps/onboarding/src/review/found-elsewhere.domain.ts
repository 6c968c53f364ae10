import type { AccountRequestEvent, Timestamp } from '@ponte/contracts';
import { DuplicatesFound } from '@ponte/contracts';
import type { OpenRequest } from '../account-request/account-request.state';
import { isKnownDuplicate } from '../account-request/findings.domain';
import { subject } from '../account-request/moves.domain';
import { noteSharedLiveness } from '../account-request/screening.domain';

type Duplicates = DuplicatesFound['data']['duplicates'];

/** What a case shows that other streams keep, recorded in the request or not. */
export interface FoundElsewhere {
  /** Other people's requests that name the session of the request; null if it names none. */
  readonly liveness: { readonly sessionFingerprint: string; readonly sharedWith: readonly string[] } | null;
  /** Other requests with the same data. */
  readonly duplicates: Duplicates;
}

export interface NoteFoundElsewhere {
  readonly kind: 'note-found-elsewhere';
  readonly found: FoundElsewhere;
  readonly at: Timestamp;
}

/** Records in the request what it does not contain yet, so that the version of the case includes it. */
export function noteFoundElsewhere(
  { liveness, duplicates }: FoundElsewhere,
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
  return [
    ...(liveness ? noteSharedLiveness({ kind: 'note-shared-liveness', ...liveness, at }, state) : []),
    ...(news.length > 0 ? [new DuplicatesFound({ ...subject(state), duplicates: news, foundAt: at })] : []),
  ];
}
