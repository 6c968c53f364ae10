import type { RequestTraitEvent, Timestamp, TraitKind } from '@ponte/contracts';
import { RequestTraitNoted } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';

/** A request that has the trait, and the subject id of its holder. */
export interface TraitBearer {
  readonly requestId: string;
  readonly subjectId: string;
}

/** Every request with the trait, the first one first. */
interface RequestTrait {
  readonly bearers: readonly TraitBearer[];
}

interface NoteTrait extends TraitBearer {
  readonly kind: 'note';
  readonly fingerprint: string;
  readonly trait: TraitKind;
  readonly at: Timestamp;
}

/**
 * With more bearers than this, a trait is common (an office telephone number) and of no use to a reviewer. The limit
 * also keeps streams short.
 */
const MAX_BEARERS = 50;

/**
 * The fingerprint of a document file, an e-mail address, a telephone number, a postal address or a wallet, and the
 * requests that have it.
 */
export const requestTrait: Decider<NoteTrait, RequestTrait, RequestTraitEvent> = {
  category: 'requestTrait',
  initial: { bearers: [] },
  events: [RequestTraitNoted],
  decide({ fingerprint, trait, requestId, subjectId, at }, { bearers }) {
    if (bearers.length >= MAX_BEARERS || bearers.some((one) => one.requestId === requestId)) return [];
    return [new RequestTraitNoted({ fingerprint, kind: trait, requestId, subjectId, notedAt: at })];
  },
  evolve({ bearers }, { data: { requestId, subjectId } }) {
    return { bearers: [...bearers, { requestId, subjectId }] };
  },
};
