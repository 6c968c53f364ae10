import { isCalendarDate, isoTime, parseInstant } from '@ponte/kernel';

/** When a list was published, as it states it: a time, or only the day. */
export interface Publication {
  /** YYYY-MM-DD, in the publisher's time zone. */
  readonly day: string;
  /** In epoch milliseconds; null if only the day is known. */
  readonly at: number | null;
}

/** Parses an RFC 3339 time or a date; null for any other text. */
export function parsePublication(text: string): Publication | null {
  const at = parseInstant(text) ?? null;
  return at === null && !isCalendarDate(text) ? null : { day: text.slice(0, 10), at };
}

/** Whether the one was published before the other. Of two on the same day, only if both state a time. */
export const isBefore = (one: Publication, other: Publication): boolean =>
  one.at === null || other.at === null ? one.day < other.day : one.at < other.at;

/** What later lists are compared with: the day of a time does not replace that time. */
export const latestOf = (before: Publication | null, now: Publication): Publication =>
  before !== null && now.at === null && now.day === before.day ? before : now;

export const publicationText = ({ day, at }: Publication): string => (at === null ? day : isoTime(at));
