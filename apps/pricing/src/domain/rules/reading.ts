import { isCalendarDate, parseDecimal, parseInstant, rescaleExact } from '@ponte/kernel';

/** One JSON object of the rules, read member by member; whatever is left unread is a mistake too. */
export class RuleReader {
  private readonly unread: Set<string>;

  private constructor(private readonly members: Readonly<Record<string, unknown>>, readonly path: string) {
    this.unread = new Set(Object.keys(members));
  }

  static of(value: unknown, path: string): RuleReader {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) fail(path, 'an object');
    return new RuleReader(value as Record<string, unknown>, path);
  }

  text(name: string): string {
    const value = this.take(name);
    return typeof value === 'string' && value.length > 0 ? value : fail(this.at(name), 'a text');
  }

  integer(name: string, least: number, most: number): number {
    const value = this.take(name);
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) fail(this.at(name), `a whole number from ${least} to ${most}`);
    return value as number;
  }

  /** Null and absence mean the same. */
  textOrNull(name: string): string | null {
    return this.optional(name, () => this.text(name));
  }

  /** Null and absence mean the same. */
  integerOrNull(name: string, least: number, most: number): number | null {
    return this.optional(name, () => this.integer(name, least, most));
  }

  flag(name: string): boolean {
    const value = this.take(name);
    return typeof value === 'boolean' ? value : fail(this.at(name), 'true or false');
  }

  oneOf<T extends string>(name: string, values: readonly T[]): T {
    const value = this.take(name);
    return values.find((one) => one === value) ?? fail(this.at(name), `one of ${values.join(', ')}`);
  }

  oneOfOrNull<T extends string>(name: string, values: readonly T[]): T | null {
    return this.nullable(name, () => this.oneOf(name, values));
  }

  /** A decimal text of two decimals at most, as hundredths. */
  hundredths(name: string): bigint {
    const decimal = parseDecimal(this.text(name));
    return (decimal && rescaleExact(decimal, 2)) ?? fail(this.at(name), 'an amount such as "10.00"');
  }

  hundredthsOrNull(name: string): bigint | null {
    return this.nullable(name, () => this.hundredths(name));
  }

  /** Minutes of the day from `HH:MM`. */
  minuteOfDay(name: string): number {
    const [, hour, minute] = /^(\d{2}):(\d{2})$/.exec(this.text(name)) ?? [];
    const minutes = Number(hour) * 60 + Number(minute);
    return minutes >= 0 && minutes <= 24 * 60 && Number(minute) < 60 ? minutes : fail(this.at(name), 'a time of the day such as "09:00"');
  }

  /** Epoch milliseconds; null is never (a row that is off) or without an end. */
  instantOrInfinity(name: string): number {
    return this.nullable(name, () => parseInstant(this.text(name)) ?? fail(this.at(name), 'an RFC 3339 time or null')) ?? Infinity;
  }

  weekdays(name: string): number[] {
    return this.list(name, (value, path) =>
      typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 6 ? value : fail(path, 'a day of the week, 0 (Sunday) to 6'));
  }

  dates(name: string): string[] {
    return this.list(name, (value, path) => (typeof value === 'string' && isCalendarDate(value) ? value : fail(path, 'a date such as "2026-12-25"')));
  }

  rows<T>(name: string, read: (row: RuleReader) => T): T[] {
    return this.list(name, (value, path) => {
      const row = RuleReader.of(value, path);
      const result = read(row);
      row.end();
      return result;
    });
  }

  end(): void {
    const [first] = this.unread;
    if (first !== undefined) fail(this.at(first), 'absent: it is not known');
  }

  private list<T>(name: string, read: (value: unknown, path: string) => T): T[] {
    const values = this.take(name);
    if (!Array.isArray(values)) fail(this.at(name), 'a list');
    return (values as unknown[]).map((value, index) => read(value, `${this.at(name)}[${index}]`));
  }

  private nullable<T>(name: string, read: () => T): T | null {
    if (this.members[name] !== null) return read();
    this.take(name);
    return null;
  }

  private optional<T>(name: string, read: () => T): T | null {
    return Object.hasOwn(this.members, name) ? this.nullable(name, read) : null;
  }

  private take(name: string): unknown {
    this.unread.delete(name);
    return Object.hasOwn(this.members, name) ? this.members[name] : undefined;
  }

  private at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

/** Stops the start with the place and what belongs there. */
export function fail(path: string, wanted: string): never {
  throw new Error(`pricing rules: ${path || 'the whole'} must be ${wanted}`);
}
