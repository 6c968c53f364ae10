import type { ErrorDefinition, PublicErrorCode } from '@ponte/kernel';
import { errorInPath, ERRORS, isPublicErrorCode } from '@ponte/kernel';

/**
 * Every error code of the API, by its HTTP status. A code with another status for an id in the path is listed once for
 * each. Served at `GET /api/v1/errors`.
 */
export const CATALOGUE: readonly ErrorDefinition[] = Object.keys(ERRORS)
  .filter(isPublicErrorCode)
  .flatMap((code) => {
    const [usual, inPath] = [errorDefinitionOf(code), errorDefinitionOf(code, 'path')];
    return usual.status === inPath.status ? [usual] : [usual, inPath];
  })
  .sort((a, b) => a.status - b.status);

/** The definition of a code; undefined if the catalogue does not list it. */
export const findErrorDefinition = (code: string): ErrorDefinition | undefined =>
  isPublicErrorCode(code) ? errorDefinitionOf(code) : undefined;

/** The definition of a code, for a resource that the request names in its body (the usual case) or in its path. */
export function errorDefinitionOf(code: PublicErrorCode, named: 'body' | 'path' = 'body'): ErrorDefinition {
  return { code, ...(named === 'path' ? errorInPath(code) : ERRORS[code]) };
}
