import type { ErrorDefinition, PublicErrorCode, Violation } from '@ponte/kernel';
import { isPublicErrorCode } from '@ponte/kernel';
import { errorDefinitionOf } from './catalogue';

interface ApiErrorOptions {
  /** All violations, in the order of the rules. The first one determines the error's message. */
  readonly violations?: readonly Violation[];
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the request named the missing resource in its path. */
  readonly inPath?: boolean;
  /** Replaces the message of the catalogue. */
  readonly message?: string;
}

/** An error that the gateway itself responds with. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly definition: ErrorDefinition;
  readonly violations: readonly Violation[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: PublicErrorCode, options: ApiErrorOptions = {}) {
    const definition = errorDefinitionOf(code, options.inPath ? 'path' : 'body');
    super(options.message ?? options.violations?.[0]?.message ?? definition.message);
    this.definition = definition;
    this.violations = options.violations;
    this.headers = options.headers ?? {};
  }
}

/** One error for all violations of a request's shape. */
export function shapeError(violations: readonly Violation[]): ApiError {
  const first = violations[0];
  if (!first || !isPublicErrorCode(first.code))
    throw new TypeError('a validation error needs a violation with a public code');
  return new ApiError(first.code, { violations });
}

/** The error for a resource in the path that does not exist or belongs to another account. */
export const notFound = (code: PublicErrorCode): ApiError => new ApiError(code, { inPath: true });

/** The same error for every account out of the caller's reach, so that it does not reveal which accounts exist. */
export const accessDenied = (): ApiError => new ApiError('account-access-denied');

/** Returns the result. Throws an error with the code if it is null or undefined. */
export function found<T>(result: T | null | undefined, code: PublicErrorCode): T {
  if (result === null || result === undefined) throw notFound(code);
  return result;
}
