import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { RequestIdentity } from './request/request-details';

/** The traits that account requests of different people can share. */
export const TRAIT_KINDS = ['document-file', 'email', 'phone', 'address', 'liveness', 'wallet'] as const;
export type TraitKind = (typeof TRAIT_KINDS)[number];

/**
 * Stream `requestTrait-<fingerprint>`: an account request that has the trait, and its holder. The fingerprint is a
 * keyed HMAC of kind and value, so the value can neither be read from it nor guessed without the key.
 */
export class RequestTraitNoted extends event('RequestTraitNoted')<{
  fingerprint: string;
  kind: TraitKind;
  requestId: string;
  /** Sealing subject of the holder of the request. */
  subjectId: string;
  notedAt: Timestamp;
}> {}

/**
 * Stream `accountRequest-<requestId>`. Other requests with the same data as this one, or of the same person with the
 * same liveness session. Only those that no earlier event names. Earlier approvals no longer count.
 */
export class DuplicatesFound extends event('DuplicatesFound')<
  RequestIdentity & { duplicates: readonly { kind: TraitKind; requestIds: readonly string[] }[]; foundAt: Timestamp }
> {}

export type RequestTraitEvent = RequestTraitNoted;
