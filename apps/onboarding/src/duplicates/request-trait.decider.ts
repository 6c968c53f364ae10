import type { RequestTraitEvent, Timestamp, TraitKind } from '@ponte/contracts';
import { RequestTraitNoted } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';

/** A request that has the trait, and its holder. */
export interface TraitBearer {
  readonly requestId: string;
  readonly subjectId: string;
}

/** Every request with the trait, the first one first. */
export interface RequestTrait {
  readonly bearers: readonly TraitBearer[];
}

export interface NoteTrait extends TraitBearer {
  readonly kind: 'note';
  readonly fingerprint: string;
  readonly trait: TraitKind;
  readonly at: Timestamp;
}

/**
 * Beyond so many a trait is common (an office's telephone), and more of them tell a reviewer nothing; streams stay
 * short.
 */
export const MOST_BEARERS = 50;

/**
 * A document file, an e-mail address, a telephone number, a postal address or a wallet as a fingerprint, and the
 * requests that have it.
 */
export const requestTrait: Decider<NoteTrait, RequestTrait, RequestTraitEvent> = {
  category: 'requestTrait',
  initial: { bearers: [] },
  events: [RequestTraitNoted],
  decide({ fingerprint, trait, requestId, subjectId, at }, { bearers }) {
    if (bearers.length >= MOST_BEARERS || bearers.some((one) => one.requestId === requestId)) return [];
    return [new RequestTraitNoted({ fingerprint, kind: trait, requestId, subjectId, notedAt: at })];
  },
  evolve({ bearers }, { data: { requestId, subjectId } }) {
    return { bearers: [...bearers, { requestId, subjectId }] };
  },
};
