import type { ErrorCode } from './errors/errors';
import { ERRORS } from './errors/errors';

/** One reason for a refusal. `path` is the invalid field (kebab-case, dotted), or empty for the whole request. */
export interface Violation {
  readonly code: ErrorCode;
  readonly path: string;
  /** For people. Never contains personal data, because it is returned to clients and logged. */
  readonly message: string;
  readonly [extra: string]: unknown;
}

export const violation = (code: ErrorCode, path: string, message: string): Violation => ({ code, path, message });

interface RefusalJson {
  readonly kind: 'refusal';
  readonly violations: readonly Violation[];
}

/**
 * A command that breaks a rule. Contains all violations, in the order of the rules; the refusal has the code and
 * message of the first one. Only the gateway maps codes to HTTP statuses.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  readonly code: ErrorCode;

  constructor(readonly violations: readonly Violation[]) {
    const first = violations[0];
    if (first === undefined) throw new TypeError('a refusal needs at least one violation');
    super(first.message);
    this.code = first.code;
  }

  toJSON(): RefusalJson {
    return { kind: 'refusal', violations: this.violations };
  }

  static isJSON(value: unknown): value is RefusalJson {
    if (!isRecord(value) || value['kind'] !== 'refusal') return false;
    const violations = value['violations'];
    return Array.isArray(violations) && violations.length > 0 && violations.every(isViolation);
  }

  /** Parses the result of `toJSON`. Throws a TypeError for anything else. */
  static fromJSON(value: unknown): Refusal {
    if (!Refusal.isJSON(value)) throw new TypeError('the value is not the JSON of a Refusal');
    return new Refusal(value.violations);
  }
}

/** A {@link Refusal} with one violation. `extra` adds fields to the violation. */
export function refusal(
  code: ErrorCode,
  message: string,
  path = '',
  extra: Readonly<Record<string, unknown>> = {},
): Refusal {
  return new Refusal([{ ...extra, code, path, message }]);
}

/**
 * Refuses a command with one violation: throws a {@link Refusal}. The path is '' if no single field is at fault.
 */
export function refuse(
  code: ErrorCode,
  message: string,
  path = '',
  extra: Readonly<Record<string, unknown>> = {},
): never {
  throw refusal(code, message, path, extra);
}

/** The violations with which a check refuses; none if it passes. Other errors are thrown. */
export async function violationsFrom(check: () => unknown): Promise<readonly Violation[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof Refusal) return error.violations;
    throw error;
  }
}

/**
 * As {@link violationsFrom}, for a check that only adds to violations that are already known: if it cannot be made at
 * the moment, the request is refused without it.
 */
export async function furtherViolationsFrom(check: () => unknown): Promise<readonly Violation[]> {
  try {
    return await violationsFrom(check);
  } catch (error) {
    if (error instanceof Unavailable) return [];
    throw error;
  }
}

/** Throws one refusal with all the given violations. Does nothing if there are none. */
export function refuseAll(violations: readonly Violation[]): void {
  if (violations.length > 0) throw new Refusal(violations);
}

export const UNAVAILABLE_CODES = [
  'pricing-unavailable',
  'rail-unavailable',
  'chain-unavailable',
  'service-unavailable',
] as const;

type UnavailableCode = (typeof UNAVAILABLE_CODES)[number];

interface UnavailableJson {
  readonly kind: 'unavailable';
  readonly code: UnavailableCode;
  readonly message: string;
  readonly retryAfterSeconds: number;
  readonly unexpected?: true;
}

/** The command is valid, but something that it needs cannot be reached now. A retry with the same key is safe. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';

  constructor(
    readonly code: UnavailableCode,
    message: string = ERRORS[code].message,
    readonly retryAfterSeconds = 1,
    /** True if the service failed in an unexpected way, so that waiting may not help. API clients see no difference. */
    readonly unexpected = false,
  ) {
    super(message);
  }

  toJSON(): UnavailableJson {
    const { code, message, retryAfterSeconds, unexpected } = this;
    return { kind: 'unavailable', code, message, retryAfterSeconds, ...(unexpected ? { unexpected } : {}) };
  }

  static isJSON(value: unknown): value is UnavailableJson {
    return (
      isRecord(value) &&
      value['kind'] === 'unavailable' &&
      UNAVAILABLE_CODES.some((code) => code === value['code']) &&
      typeof value['message'] === 'string' &&
      Number.isFinite(value['retryAfterSeconds'])
    );
  }

  /** Parses the result of `toJSON`. Throws a TypeError for anything else. */
  static fromJSON(value: unknown): Unavailable {
    if (!Unavailable.isJSON(value)) throw new TypeError('the value is not the JSON of an Unavailable');
    return new Unavailable(value.code, value.message, value.retryAfterSeconds, value.unexpected === true);
  }

  /** The error that a caller gets for an unexpected failure of a service. */
  static unexpected(): Unavailable {
    return new Unavailable('service-unavailable', undefined, undefined, true);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isViolation(value: unknown): value is Violation {
  return isRecord(value) && ['code', 'path', 'message'].every((member) => typeof value[member] === 'string');
}
