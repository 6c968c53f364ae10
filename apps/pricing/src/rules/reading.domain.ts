import { isCalendarDate, parseDecimal, parseInstant, rescaleExact } from '@ponte/kernel';
import type { RuleViolation } from '@ponte/contracts';

/** The rules are invalid; `violations` lists every place that is wrong. */
export class RulesInvalid extends Error {
  override readonly name = 'RulesInvalid';
  constructor(readonly violations: readonly RuleViolation[]) {
    super(violations.map(({ path, message }) => `${path || 'the document'} ${message}`).join('; '));
  }
}

/** Thrown for a value that could not be read, after its violation was recorded. */
class Unreadable extends Error {}

/**
 * Reads one JSON object of the rules member by member. A member that is not read is a violation too. The readers of one
 * document share the list of violations.
 */
export class RuleReader {
  private readonly unread: Set<string>;
  private sound = true;

  private constructor(
    private readonly members: Readonly<Record<string, unknown>>,
    readonly path: string,
    readonly violations: RuleViolation[],
  ) {
    this.unread = new Set(Object.keys(members));
  }

  /** Throws {@link RulesInvalid} if the document is not an object. */
  static ofDocument(value: unknown): RuleReader {
    if (!isObject(value)) throw new RulesInvalid([{ path: '', message: 'must be an object' }]);
    return new RuleReader(value, '', []);
  }

  /** Records a violation of a field; `accepted` completes "must be …". */
  refuse(name: string, accepted: string): void {
    this.sound = false;
    this.violations.push({ path: this.at(name), message: `must be ${accepted}` });
  }

  /** Throws {@link RulesInvalid} if the document has any violation. */
  assertSound(): void {
    if (this.violations.length > 0) throw new RulesInvalid(this.violations);
  }

  text(name: string): string {
    const value = this.readMember(name);
    return typeof value === 'string' && value.length > 0 ? value : this.fail(name, 'a text', '');
  }

  textOrNull(name: string): string | null {
    return this.absentOrNull(name, () => this.text(name));
  }

  integer(name: string, least: number, most: number): number {
    const value = this.readMember(name);
    const valid = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
    return valid ? value : this.fail(name, `a whole number from ${least} to ${most}`, least);
  }

  integerOrNull(name: string, least: number, most: number): number | null {
    return this.absentOrNull(name, () => this.integer(name, least, most));
  }

  /** The result of `read`, or null if the field is null or absent. */
  absentOrNull<T>(name: string, read: (name: string) => T): T | null {
    return Object.hasOwn(this.members, name) ? this.nullable(name, () => read(name)) : null;
  }

  flag(name: string): boolean {
    const value = this.readMember(name);
    return typeof value === 'boolean' ? value : this.fail(name, 'true or false', false);
  }

  oneOf<T extends string>(name: string, values: readonly [T, ...T[]]): T {
    const value = this.readMember(name);
    return values.find((one) => one === value) ?? this.fail(name, `one of ${values.join(', ')}`, values[0]);
  }

  oneOfOrNull<T extends string>(name: string, values: readonly [T, ...T[]]): T | null {
    return this.nullable(name, () => this.oneOf(name, values));
  }

  /** A decimal text with at most `scale` decimals, in minor units. */
  minor(name: string, scale: number): bigint {
    const value = this.readMember(name);
    const decimal = typeof value === 'string' ? parseDecimal(value) : undefined;
    return (decimal && rescaleExact(decimal, scale)) ?? this.fail(name, 'an amount such as "10.00"', 0n);
  }

  hundredthsOrNull(name: string): bigint | null {
    return this.nullable(name, () => this.minor(name, 2));
  }

  /** The minutes since midnight, from `HH:MM`. */
  minuteOfDay(name: string): number {
    const [, hour, minute] = /^(\d{2}):(\d{2})$/.exec(String(this.readMember(name))) ?? [];
    const minutes = Number(hour) * 60 + Number(minute);
    const valid = minutes >= 0 && minutes <= 24 * 60 && Number(minute) < 60;
    return valid ? minutes : this.fail(name, 'a time of the day such as "09:00"', 0);
  }

  /** Epoch milliseconds. Null becomes Infinity: a row that is off (`valid-from`) or has no end (`valid-to`). */
  instantOrInfinity(name: string): number {
    const read = (value: unknown) => (typeof value === 'string' ? parseInstant(value) : undefined);
    return (
      this.nullable(name, () => read(this.readMember(name)) ?? this.fail(name, 'an RFC 3339 time or null', 0)) ??
      Infinity
    );
  }

  weekdays(name: string): number[] {
    const valid = (value: unknown) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 6;
    return this.list(name, (value, at) =>
      valid(value) ? (value as number) : this.fail(at, 'a day of the week, 0 (Sunday) to 6', 0),
    );
  }

  dates(name: string): string[] {
    const valid = (value: unknown) => typeof value === 'string' && isCalendarDate(value);
    return this.list(name, (value, at) =>
      valid(value) ? (value as string) : this.fail(at, 'a date such as "2026-12-25"', ''),
    );
  }

  objectOrNull(name: string): RuleReader | null {
    if (!Object.hasOwn(this.members, name) || this.members[name] === null) return this.nothing(name);
    const value = this.readMember(name);
    return isObject(value) ? new RuleReader(value, this.at(name), this.violations) : this.fail(name, 'an object', null);
  }

  /**
   * Reads the rows of a table. `read` reads the fields of a row. `validate` compares them; it is called only if every
   * field could be read, and gets a function to refuse a field.
   */
  rows<T>(name: string, read: (row: RuleReader) => T, validate?: (rule: T, refuse: RuleReader['refuse']) => void): T[] {
    return this.list(name, (value, at) => {
      if (!isObject(value)) throw this.unreadable(at, 'an object');
      const row = new RuleReader(value, this.at(at), this.violations);
      const rule = read(row);
      if (row.sound) validate?.(rule, (member, accepted) => row.refuse(member, accepted));
      row.end();
      return rule;
    });
  }

  /** Refuses the fields that were not read. */
  end(): void {
    for (const name of this.unread) this.refuse(name, 'absent: it is not known');
  }

  private list<T>(name: string, read: (value: unknown, at: string) => T): T[] {
    const values = this.readMember(name);
    if (!Array.isArray(values)) return this.fail(name, 'a list', []);
    return (values as unknown[]).flatMap((value, index) => {
      try {
        return [read(value, `${name}[${index}]`)];
      } catch (error) {
        if (error instanceof Unreadable) return [];
        throw error;
      }
    });
  }

  private unreadable(name: string, accepted: string): Unreadable {
    this.refuse(name, accepted);
    return new Unreadable();
  }

  private fail<T>(name: string, accepted: string, instead: T): T {
    this.refuse(name, accepted);
    return instead;
  }

  private nullable<T>(name: string, read: () => T): T | null {
    return this.members[name] === null ? this.nothing(name) : read();
  }

  private nothing(name: string): null {
    this.unread.delete(name);
    return null;
  }

  private readMember(name: string): unknown {
    this.unread.delete(name);
    return Object.hasOwn(this.members, name) ? this.members[name] : undefined;
  }

  private at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
