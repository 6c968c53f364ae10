/** The local date and time in São Paulo. */
interface WallClock {
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  /** YYYY-MM-DD. */
  readonly date: string;
}

const OFFSET_FORMAT = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Sao_Paulo', timeZoneName: 'longOffset' });

/**
 * The offset is cached for a quarter of an hour: offsets change only at its boundaries, and reading the time zone data
 * costs microseconds on every quote.
 */
const QUARTER_HOUR_MS = 15 * 60 * 1000;

let known = { quarter: Number.NaN, offsetMs: 0 };

/** The local date and time in São Paulo; `weekday` is 0 on Sunday. */
export function saoPauloWallClock(ms: number): WallClock {
  // After shifting by the offset, the UTC members of the date are those of the local time.
  const local = new Date(ms + offsetMsAt(ms));
  return {
    weekday: local.getUTCDay(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    date: local.toISOString().slice(0, 10),
  };
}

/** The calendar date in São Paulo, YYYY-MM-DD. */
export function saoPauloDate(ms: number): string {
  return saoPauloWallClock(ms).date;
}

function offsetMsAt(ms: number): number {
  const quarter = Math.floor(ms / QUARTER_HOUR_MS);
  if (known.quarter !== quarter) known = { quarter, offsetMs: readOffsetMs(quarter * QUARTER_HOUR_MS) };
  return known.offsetMs;
}

function readOffsetMs(ms: number): number {
  const name = OFFSET_FORMAT.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  if (sign === undefined) throw new Error('the runtime has no time zone data for America/Sao_Paulo');
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60 * 1000;
  return sign === '-' ? -offsetMs : offsetMs;
}
