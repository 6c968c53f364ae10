import type { ErrorDefinition, PublicErrorCode, Violation } from '@ponte/kernel';
import { isPublicErrorCode } from '@ponte/kernel';
import { errorDefinitionOf } from './catalogue';

interface Particulars {
  /** All violations at once, in the order of the rules; the first one is the error's own. */
  readonly violations?: readonly Violation[];
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the catalogue's. */
  readonly message?: string;
}

/** An error that the edge itself answers with. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly definition: ErrorDefinition;
  readonly violations: readonly Violation[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: PublicErrorCode, particulars: Particulars = {}) {
    const definition = errorDefinitionOf(code);
    super(particulars.message ?? particulars.violations?.[0]?.message ?? definition.message);
    this.definition = definition;
    this.violations = particulars.violations;
    this.headers = particulars.headers ?? {};
  }
}

/** One error with all the violations of a request's shape. */
export function shapeError(violations: readonly Violation[]): ApiError {
  const first = violations[0];
  if (!first || !isPublicErrorCode(first.code))
    throw new TypeError('a validation error needs a violation with a public code');
  return new ApiError(first.code, { violations });
}

/** What is not there, or not the account's. */
export const notFound = (code: PublicErrorCode): ApiError => new ApiError(code);

/** The one body for every account that the caller cannot reach, existing or not: no oracle. */
export const accessDenied = (): ApiError => new ApiError('account-access-denied');

/** What was looked for. Throws an error with the code when nothing was found. */
export function found<T>(result: T | null | undefined, code: PublicErrorCode): T {
  if (result === null || result === undefined) throw notFound(code);
  return result;
}
