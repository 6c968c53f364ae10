const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

const full = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/**
 * Date and time in the user's time zone, which is named. A text that is no time is returned as it is.
 * @param {string} iso
 */
export const when = (iso) => {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? iso : full.format(time);
};

/** The user's time zone, such as `America/Sao_Paulo`. */
export const timeZone = full.resolvedOptions().timeZone;

/** A date without a time, such as a birthday. @param {string} date */
export const dateOnly = (date) => (/^\d{4}-\d{2}-\d{2}$/.test(date) ? day.format(new Date(`${date}T00:00:00Z`)) : date);

/**
 * A duration in a single unit, to be read at a glance in the queue.
 * @param {number} seconds by the server's clock
 */
export function span(seconds) {
  if (seconds < MINUTE_S) return 'under 1 min';
  if (seconds < HOUR_S) return `${Math.floor(seconds / MINUTE_S)} min`;
  if (seconds < 2 * DAY_S) return `${Math.floor(seconds / HOUR_S)} h`;
  return `${Math.floor(seconds / DAY_S)} d`;
}

/** Whole years. @param {string} birth YYYY-MM-DD */
export function yearsSince(birth) {
  const [year, month, date] = birth.split('-').map(Number);
  const now = new Date();
  const before = now.getMonth() + 1 < (month ?? 0) || (now.getMonth() + 1 === month && now.getDate() < (date ?? 0));
  return now.getFullYear() - (year ?? 0) - (before ? 1 : 0);
}

/**
 * The tone of a waiting time: `warn` after one day, `bad` after three.
 * @param {number} seconds @returns {'' | 'warn' | 'bad'}
 */
export const urgency = (seconds) => (seconds >= 3 * DAY_S ? 'bad' : seconds >= DAY_S ? 'warn' : '');
