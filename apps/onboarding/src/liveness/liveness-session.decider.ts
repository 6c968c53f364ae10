import type { LivenessSessionEvent, Timestamp } from '@ponte/contracts';
import { LivenessSessionNamed } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';

export interface Naming {
  readonly requestId: string;
  readonly subjectId: string;
}

/** Every request that named the session, the first one first. */
export interface LivenessSession {
  readonly namedBy: readonly Naming[];
}

export interface NameSession extends Naming {
  readonly kind: 'name';
  readonly sessionFingerprint: string;
  readonly at: Timestamp;
}

/** The requests that name a liveness session. It shows one living person, so they should all be of that person. */
export const livenessSession: Decider<NameSession, LivenessSession, LivenessSessionEvent> = {
  category: 'livenessSession',
  initial: { namedBy: [] },
  events: [LivenessSessionNamed],
  decide({ sessionFingerprint, requestId, subjectId, at }, { namedBy }) {
    return namedBy.some((one) => one.requestId === requestId)
      ? []
      : [new LivenessSessionNamed({ sessionFingerprint, requestId, subjectId, namedAt: at })];
  },
  evolve({ namedBy }, { data: { requestId, subjectId } }) {
    return { namedBy: [...namedBy, { requestId, subjectId }] };
  },
};

/** The largest number of ids recorded: no reviewer reads more, and events are kept forever. */
const MOST = 20;

/** Ids of other people's requests that named the session, first ones first. */
export const sharedWith = ({ namedBy }: LivenessSession, subjectId: string): readonly string[] =>
  namedBy
    .filter((one) => one.subjectId !== subjectId)
    .slice(0, MOST)
    .map(({ requestId }) => requestId);
