import { ONBOARDING_REFUSALS } from '@ponte/contracts';
import { DOMAIN_ERRORS } from './domain-errors';
import { EDGE_ERRORS } from './edge-errors';
import type { ErrorDefinition } from './error-definition';
import { errorDefinitions } from './error-definition';

/**
 * Every error code of the API, with its HTTP status, type and meaning. Served at `GET /api/v1/errors`, and
 * the only place where a code meets an HTTP number.
 */
export const CATALOGUE: readonly ErrorDefinition[] = withOnboarding([...EDGE_ERRORS, ...DOMAIN_ERRORS]).sort(
  (a, b) => a.status - b.status,
);

/** What onboarding refuses with beyond the codes of the contract are rules too. */
function withOnboarding(listed: readonly ErrorDefinition[]): ErrorDefinition[] {
  const known = new Set(listed.map(({ code }) => code));
  const rules = Object.entries(ONBOARDING_REFUSALS).filter(([code]) => !known.has(code));
  return [
    ...listed,
    ...errorDefinitions(
      422,
      'validation',
      rules.map(([code, message]) => [code, `${message.charAt(0).toUpperCase()}${message.slice(1)}.`]),
    ),
  ];
}

const BY_CODE = new Map(CATALOGUE.map((definition) => [definition.code, definition]));

/** The problem of a code, undefined when the catalogue does not list it. */
export const findErrorDefinition = (code: string): ErrorDefinition | undefined => BY_CODE.get(code);

/** The problem of a code that this service itself names; an unlisted one is a fault of the program. */
export function errorDefinitionOf(code: string): ErrorDefinition {
  const definition = BY_CODE.get(code);
  if (!definition) throw new Error(`the catalogue has no code ${code}`);
  return definition;
}
