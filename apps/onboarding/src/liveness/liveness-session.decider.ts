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
const MAX_SHARERS = 20;

/** The largest number of requests that a case shows, as for other common data. */
const MAX_SHOWN = 50;

/** Ids of other people's requests that named the session, first ones first. */
export const sharedWith = ({ namedBy }: LivenessSession, subjectId: string): readonly string[] =>
  namedBy
    .filter((one) => one.subjectId !== subjectId)
    .slice(0, MAX_SHARERS)
    .map(({ requestId }) => requestId);

/**
 * The namings whose requests have something to learn from the naming by `requestId`: earlier ones of other people that
 * do not have {@link MAX_SHARERS} sharers yet, and the naming itself. Empty if the request has not named the session.
 */
export function concernedBy({ namedBy }: LivenessSession, requestId: string): readonly Naming[] {
  const own = namedBy.find((one) => one.requestId === requestId);
  if (!own) return [];
  const before = namedBy.slice(0, namedBy.indexOf(own));
  const ofPerson = new Map<string, number>();
  for (const { subjectId } of before) ofPerson.set(subjectId, (ofPerson.get(subjectId) ?? 0) + 1);
  const lacksSharers = ({ subjectId }: Naming): boolean => before.length - (ofPerson.get(subjectId) ?? 0) < MAX_SHARERS;
  return [...before.filter((one) => one.subjectId !== own.subjectId && lacksSharers(one)), own];
}

/** Other requests that name the session, for a case: at most 50, those of other people first. */
export function othersNaming({ namedBy }: LivenessSession, { requestId, subjectId }: Naming): readonly Naming[] {
  const others = namedBy.filter((one) => one.requestId !== requestId);
  return [
    ...others.filter((one) => one.subjectId !== subjectId),
    ...others.filter((one) => one.subjectId === subjectId),
  ].slice(0, MAX_SHOWN);
}
