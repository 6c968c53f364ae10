import { DOMAIN_ERRORS } from './domain-errors';
import { EDGE_ERRORS } from './edge-errors';
import type { ErrorDetails } from './error-definition';
import type { InternalErrorCode } from './internal-errors';
import { ONBOARDING_ERRORS } from './onboarding-errors';

/**
 * Every error code of the API with its HTTP status, type and message. No other place maps codes to HTTP statuses.
 * Served at `GET /api/v1/errors` and included in the OpenAPI document and the guides.
 */
export const ERRORS = { ...EDGE_ERRORS, ...DOMAIN_ERRORS, ...ONBOARDING_ERRORS };

/**
 * Codes that have the status of the catalogue for an id in the body, and these for an id in the path. A client gets one
 * code for one missing resource, wherever it named it.
 */
const IN_PATHS: Partial<Record<keyof typeof ERRORS, Pick<ErrorDetails, 'status' | 'type'>>> = {
  'quote-not-found': { status: 404, type: 'not-found' },
};

/** A code that clients of the API can get. */
export type PublicErrorCode = keyof typeof ERRORS;

/** A code that a command can be refused with: public, or used only between services. */
export type ErrorCode = PublicErrorCode | InternalErrorCode;

/** One code of the catalogue with its details. */
export interface ErrorDefinition extends ErrorDetails {
  readonly code: string;
}

/** The details of a code whose resource is named in the path of the request. */
export const errorInPath = (code: PublicErrorCode): ErrorDetails => ({ ...ERRORS[code], ...IN_PATHS[code] });

export const isPublicErrorCode = (code: string): code is PublicErrorCode => Object.hasOwn(ERRORS, code);
