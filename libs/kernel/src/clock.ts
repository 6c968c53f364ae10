/** Business time, which the sandbox can advance. Leases, nonces and tokens use another clock. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

const STORED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** UTC with milliseconds and Z, as everything outside shows a time. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Reads what `isoTime` wrote. Anything else is a corrupt record: RangeError. */
export function fromIso(text: string): number {
  const ms = STORED.test(text) ? parseInstant(text) : undefined;
  if (ms === undefined) throw new RangeError('a stored time has the wrong form');
  return ms;
}

/** Reads an RFC 3339 time from outside, any offset; undefined when it is none. Below a millisecond is cut off. */
export function parseInstant(text: string): number | undefined {
  if (typeof text !== 'string' || text.length > 40 || !INSTANT.test(text)) return undefined;
  const ms = Date.parse(text);
  // The runtime turns 30 February into 1 or 2 March; a time that does not exist is refused instead.
  return Number.isNaN(ms) || !isCalendarDate(text.slice(0, 10)) ? undefined : ms;
}

export function addSeconds(iso: string, seconds: number): string {
  return isoTime(fromIso(iso) + seconds * 1000);
}

/** Whether the text is YYYY-MM-DD and that day exists. */
export function isCalendarDate(text: string): boolean {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
