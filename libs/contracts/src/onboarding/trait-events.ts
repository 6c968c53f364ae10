import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';

/** The traits that account requests of different people can share. */
export const TRAIT_KINDS = ['document-file', 'email', 'phone', 'address', 'liveness', 'wallet'] as const;
export type TraitKind = (typeof TRAIT_KINDS)[number];

/**
 * Stream `requestTrait-<fingerprint>`: which requests have a trait, and whose they are. The fingerprint is a keyed HMAC
 * of kind and value, so the value cannot be read from it, nor guessed without the key.
 */
export class RequestTraitNoted extends event('RequestTraitNoted')<{
  fingerprint: string;
  kind: TraitKind;
  requestId: string;
  /** The holder of the request. */
  subjectId: string;
  notedAt: Timestamp;
}> {}

export type RequestTraitEvent = RequestTraitNoted;
