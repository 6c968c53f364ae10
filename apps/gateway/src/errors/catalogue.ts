import type { ErrorDefinition, PublicErrorCode } from '@ponte/kernel';
import { ERRORS, isPublicErrorCode } from '@ponte/kernel';

/** Every error code of the API, by its HTTP status. Served at `GET /api/v1/errors`. */
export const CATALOGUE: readonly ErrorDefinition[] = Object.entries(ERRORS)
  .map(([code, details]) => ({ code, ...details }))
  .sort((a, b) => a.status - b.status);

/** The definition of a code; undefined if the catalogue does not list it. */
export const findErrorDefinition = (code: string): ErrorDefinition | undefined =>
  isPublicErrorCode(code) ? errorDefinitionOf(code) : undefined;

export const errorDefinitionOf = (code: PublicErrorCode): ErrorDefinition => ({ code, ...ERRORS[code] });
