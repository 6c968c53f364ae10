/** Business time, which the sandbox can advance. Leases, nonces and tokens use another clock. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

const STORED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/**
 * Number of seconds whose text is cached: one request formats the current second several times, and a few later ones.
 */
const SECONDS_KEPT = 16;
const SECOND_MS = 1000;
const kept = Array.from({ length: SECONDS_KEPT }, () => ({ second: Number.NaN, text: '' }));
/** The last formatted time, which is often parsed right afterwards. */
let last = { ms: Number.NaN, text: '' };

/**
 * Formats a time as UTC with milliseconds and Z, the format of all times in the API and in events. The runtime's own
 * formatter was 5 % of a quote.
 */
export function isoTime(ms: number): string {
  if (ms === last.ms) return last.text;
  if (!Number.isSafeInteger(ms) || ms < 0) return new Date(ms).toISOString();
  const second = Math.floor(ms / SECOND_MS);
  const entry = kept[second % SECONDS_KEPT] as (typeof kept)[number];
  if (entry.second !== second) {
    // The text without the three digits of the milliseconds and the Z. Years after 9999 are longer.
    entry.text = new Date(second * SECOND_MS).toISOString().slice(0, -4);
    entry.second = second;
  }
  last = { ms, text: `${entry.text}${String(ms % SECOND_MS).padStart(3, '0')}Z` };
  return last.text;
}

/** Parses a time that `isoTime` wrote. Any other text is a corrupt record and throws a RangeError. */
export function fromIso(text: string): number {
  if (text === last.text) return last.ms;
  const ms = STORED.test(text) ? parseInstant(text) : undefined;
  if (ms === undefined) throw new RangeError('a stored time has the wrong format');
  return ms;
}

/** Seconds that have passed since a stored time: 0 without one, and never negative. */
export const secondsSince = (since: string | null | undefined, nowMs: number): number =>
  since ? Math.max(0, nowMs - fromIso(since)) / SECOND_MS : 0;

/** The gateway stores the first response to an idempotency key for as long. */
const FIRST_RESPONSE_MS = 24 * 60 * 60 * SECOND_MS;

/**
 * Whether a repeated creation still gets the first response: for a day. Afterwards it gets the current state.
 * `createdAt` is the time of the first one, `nowMs` is in epoch milliseconds.
 */
export const repeatsFirstResponse = (createdAt: string, nowMs: number): boolean =>
  nowMs - fromIso(createdAt) < FIRST_RESPONSE_MS;

/** The first and the last time whose text has a year of four digits. Only such texts compare correctly. */
const [FIRST_MS, LAST_MS] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/**
 * Parses an external RFC 3339 time with any offset; undefined if it is invalid. `t` and `z` may be in lower case.
 * Digits below a millisecond are cut off. A time that is in the year -1 or 10000 in UTC counts as the first or the last
 * moment of the years between.
 */
export function parseInstant(text: string): number | undefined {
  if (typeof text !== 'string' || text.length > 40 || !INSTANT.test(text)) return undefined;
  const ms = Date.parse(text.toUpperCase());
  // The runtime turns 30 February into 1 or 2 March. Such dates are refused.
  if (Number.isNaN(ms) || !isCalendarDate(text.slice(0, 10))) return undefined;
  return Math.min(Math.max(ms, FIRST_MS), LAST_MS);
}

export function addSeconds(iso: string, seconds: number): string {
  return isoTime(fromIso(iso) + seconds * 1000);
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the text is an existing date in the form YYYY-MM-DD. */
export function isCalendarDate(text: string): boolean {
  const match = typeof text === 'string' ? DATE.exec(text) : null;
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const leapDay = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  return day >= 1 && day <= (DAYS[month - 1] ?? 0) + leapDay;
}
