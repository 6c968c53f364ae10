import type { AccountRequestEvent, InformationItem, Timestamp } from '@ponte/contracts';
import { InformationProvided } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import type { OpenRequest } from '../account-request.state';
import { fold, subject } from '../moves.domain';
import { started } from '../screening.domain';

/** What the partner sent, sealed. */
export type SentInformation = Omit<
  InformationProvided['data'],
  'requestId' | 'accountId' | 'parentId' | 'remaining' | 'providedAt'
>;

/** Whether a body contains an item. Any further file, or a note where one is allowed, counts as the requested item. */
const CONTAINS: Readonly<Record<InformationItem, (sent: SentInformation) => boolean>> = {
  address: ({ holder }) => holder.address !== null,
  document: ({ holder }) => holder.document !== null,
  liveness: ({ liveness }) => liveness !== null,
  'representative-address': ({ representative }) => representative.address !== null,
  'representative-document': ({ representative }) => representative.document !== null,
  'power-of-attorney': ({ representative }) => representative.powerOfAttorneyFileId !== null,
  'source-of-funds': ({ otherFileIds }) => otherFileIds.length > 0,
  other: ({ otherFileIds, note }) => otherFileIds.length > 0 || note !== null,
};

/**
 * Records what the partner sent, also parts that were not requested. The request returns to screening once every
 * requested item has arrived, in one call or in several; until then it waits, and its due time stays. From the due time
 * on the request counts as expired, even if the timer has not expired it yet.
 */
export function provideInformation(sent: SentInformation, state: OpenRequest, at: Timestamp): AccountRequestEvent[] {
  const { information } = state;
  if (information === null)
    return refuse('information-not-requested', 'the request is not waiting for information', 'id');
  const { issues, dueAt } = information;
  if (at >= dueAt) refuse('information-not-requested', `the information was due by ${dueAt}; send a new request`, 'id');
  const items = information.missing.filter((item) => !CONTAINS[item](sent));
  const remaining = items.length > 0 ? { remaining: { items, issues, dueAt } } : {};
  const provided = new InformationProvided({ ...subject(state), ...sent, ...remaining, providedAt: at });
  return items.length > 0 ? [provided] : [provided, started(fold(state, provided), at)];
}
