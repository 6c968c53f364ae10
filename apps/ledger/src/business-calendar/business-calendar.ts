import { getHolidays } from '@brazilian-utils/brazilian-utils/get-holidays';
import type { Timestamp } from '@ponte/contracts';
import { fromIso, isoTime, saoPauloWallClock } from '@ponte/kernel';

/** Hours in which banks process TEDs, in minutes after midnight in São Paulo: from 06:30 until 17:00. */
const OPENS = 6 * 60 + 30;
const CLOSES = 17 * 60;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SUNDAY = 0;
const SATURDAY = 6;
/** Banks are never closed for longer than this; a longer gap means that the configured days are wrong. */
const MAX_DAYS = 30;
const CARNIVAL_TUESDAY = 'Carnaval (terça-feira)';

/**
 * Days and hours in which the Brazilian banking system processes TEDs. National holidays come from a maintained
 * library. Banks are also closed on the Monday of Carnival and on days that the operator configures.
 */
export class BusinessCalendar {
  private readonly holidays = new Map<number, ReadonlySet<string>>();

  /** `closedOn`: additional days, YYYY-MM-DD. */
  constructor(private readonly closedOn: ReadonlySet<string> = new Set()) {}

  isBankingDay(date: string): boolean {
    const weekday = new Date(`${date}T12:00:00Z`).getUTCDay();
    return (
      weekday !== SUNDAY &&
      weekday !== SATURDAY &&
      !this.closedOn.has(date) &&
      !this.holidaysOf(Number(date.slice(0, 4))).has(date)
    );
  }

  /** Null if a TED can be sent at this time (epoch milliseconds), otherwise the start of the next banking hours. */
  waitsUntil(now: number): Timestamp | null {
    const { date, hour, minute } = saoPauloWallClock(now);
    const time = hour * 60 + minute;
    if (this.isBankingDay(date)) {
      if (time >= OPENS && time < CLOSES) return null;
      if (time < OPENS) return openingOn(date);
    }
    for (let day = 1; day <= MAX_DAYS; day += 1) {
      const next = daysAfter(date, day);
      if (this.isBankingDay(next)) return openingOn(next);
    }
    throw new Error(`no banking day within ${MAX_DAYS} days of ${date}`);
  }

  /** How much of today's banking hours has passed since that time, in milliseconds; 0 while banks are closed. */
  openFor(since: number, now: number): number {
    if (this.waitsUntil(now) !== null) return 0;
    return Math.max(0, now - Math.max(since, fromIso(openingOn(saoPauloWallClock(now).date))));
  }

  private holidaysOf(year: number): ReadonlySet<string> {
    const known = this.holidays.get(year);
    if (known) return known;
    const dates = new Set<string>();
    for (const { name, date, type } of getHolidays(year)) {
      if (type === 'religious') continue;
      const day = calendarDate(date);
      dates.add(day);
      if (name === CARNIVAL_TUESDAY) dates.add(daysAfter(day, -1));
    }
    this.holidays.set(year, dates);
    return dates;
  }
}

/** The library returns midnight in the process's own time zone. */
const calendarDate = (date: Date): string =>
  `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;

const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** 06:30 on that day in São Paulo, whatever the offset from UTC is on that day. */
function openingOn(date: string): Timestamp {
  const asUtc = Date.parse(`${date}T00:00:00Z`) + OPENS * MINUTE_MS;
  const { date: localDate, hour, minute } = saoPauloWallClock(asUtc);
  const behindMs = asUtc - (Date.parse(`${localDate}T00:00:00Z`) + (hour * 60 + minute) * MINUTE_MS);
  return isoTime(asUtc + behindMs);
}
