/** Business time, which the sandbox can advance. Leases, nonces and tokens use another clock. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

const STORED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Seconds whose text is remembered: a request shows the present one several times, and one or two to come. */
const SECONDS_KEPT = 16;
const SECOND_MS = 1000;
const kept = Array.from({ length: SECONDS_KEPT }, () => ({ second: Number.NaN, text: '' }));
/** What was written last, which is often read back at once. */
let last = { ms: Number.NaN, text: '' };

/** UTC with milliseconds and Z, as everything outside shows a time. The runtime's own writer was 5 % of a quote. */
export function isoTime(ms: number): string {
  if (ms === last.ms) return last.text;
  if (!Number.isSafeInteger(ms) || ms < 0) return new Date(ms).toISOString();
  const second = Math.floor(ms / SECOND_MS);
  const entry = kept[second % SECONDS_KEPT] as (typeof kept)[number];
  if (entry.second !== second) {
    // 19 characters and a point, before the milliseconds; a year beyond 9999 has more.
    entry.text = new Date(second * SECOND_MS).toISOString().slice(0, -4);
    entry.second = second;
  }
  last = { ms, text: `${entry.text}${String(ms % SECOND_MS).padStart(3, '0')}Z` };
  return last.text;
}

/** Reads what `isoTime` wrote. Anything else is a corrupt record: RangeError. */
export function fromIso(text: string): number {
  if (text === last.text) return last.ms;
  const ms = STORED.test(text) ? parseInstant(text) : undefined;
  if (ms === undefined) throw new RangeError('a stored time has the wrong format');
  return ms;
}

/** Reads an RFC 3339 time from outside, any offset; undefined when it is not one. Below a millisecond is cut off. */
export function parseInstant(text: string): number | undefined {
  if (typeof text !== 'string' || text.length > 40 || !INSTANT.test(text)) return undefined;
  const ms = Date.parse(text);
  // The runtime turns 30 February into 1 or 2 March; a time that does not exist is refused instead.
  return Number.isNaN(ms) || !isCalendarDate(text.slice(0, 10)) ? undefined : ms;
}

export function addSeconds(iso: string, seconds: number): string {
  return isoTime(fromIso(iso) + seconds * 1000);
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the text is YYYY-MM-DD and that day exists. */
export function isCalendarDate(text: string): boolean {
  const match = typeof text === 'string' ? DATE.exec(text) : null;
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const leapDay = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  return day >= 1 && day <= (DAYS[month - 1] ?? 0) + leapDay;
}
