import { DOMAIN_ERRORS } from './domain-errors';
import { EDGE_ERRORS } from './edge-errors';
import type { ErrorDetails } from './error-definition';
import type { InternalErrorCode } from './internal-errors';
import { ONBOARDING_ERRORS } from './onboarding-errors';

/**
 * Every error code of the API with its HTTP status, type and meaning: the only place where a code meets an HTTP number.
 * Served at `GET /api/v1/errors`, and printed into the OpenAPI document and the guides.
 */
export const ERRORS = { ...EDGE_ERRORS, ...DOMAIN_ERRORS, ...ONBOARDING_ERRORS };

/** A code that a client of the API may see. */
export type PublicErrorCode = keyof typeof ERRORS;

/** A code that a command may be refused with: public, or between services alone. */
export type ErrorCode = PublicErrorCode | InternalErrorCode;

/** One code of the catalogue with what is said of it. */
export interface ErrorDefinition extends ErrorDetails {
  readonly code: string;
}

export const isPublicErrorCode = (code: string): code is PublicErrorCode => Object.hasOwn(ERRORS, code);
