import type { ParkedEvent, ParkedEvents, Recorded } from '@ponte/event-sourcing';
import type { PublishedLog } from '../partitions/published-log';

const MISSING = 'earlier events of its stream are missing';
const FROM = `${MISSING}, from revision `;
const REFILLED = 'was missing; it was read from the log';

/** The reason for parking an event behind a gap. It keeps the first missing revision, if that is known. */
export const gapReason = (from: number | undefined): string => (from === undefined ? MISSING : `${FROM}${from}`);

/** Whether a key with this first parked event can be refilled from the log, and has not been handled yet. */
export const isGap = (reason: string): boolean => reason.startsWith(FROM) || reason === REFILLED;

export interface GapParts {
  readonly group: string;
  readonly parked: ParkedEvents;
  readonly log: Pick<PublishedLog, 'read'> | undefined;
  readonly systemNow: () => number;
  /** Whether the group wants the event and has not passed it. */
  readonly isDue: (event: Recorded) => boolean;
}

/**
 * Parks the events that are missing before a parked one, as the log has them, so that all are handled in order. The
 * parked events are durable, so a crash at any point only repeats this. False if the log does not have them (yet).
 */
export async function refill({ group, parked, log, systemNow, isDue }: GapParts, key: string): Promise<boolean> {
  if (!log) return true;
  for (const { event, reason } of await parked.list(group, key)) {
    if (!reason.startsWith(FROM)) continue;
    const from = Number(reason.slice(FROM.length));
    const missing = await log.read(key, { from, limit: event.revision - from });
    if (missing.length < event.revision - from) return false;
    const parkedAt = new Date(systemNow()).toISOString();
    for (const one of missing.filter(isDue))
      await parked.add({ group, key, event: one, reason: REFILLED, parkedAt } satisfies ParkedEvent);
  }
  return true;
}
