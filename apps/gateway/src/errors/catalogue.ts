import { ONBOARDING_REFUSALS } from '@ponte/contracts';
import { DOMAIN_PROBLEMS } from './domain-problems';
import { EDGE_PROBLEMS } from './edge-problems';
import type { Problem } from './problem';
import { problems } from './problem';

/**
 * Every error code of the API, contract §3, with its HTTP status, type and meaning. Served at `GET /api/v1/errors`, and
 * the only place where a code meets an HTTP number.
 */
export const CATALOGUE: readonly Problem[] = withOnboarding([...EDGE_PROBLEMS, ...DOMAIN_PROBLEMS]).sort((a, b) => a.status - b.status);

/** What onboarding refuses with beyond the codes of the contract are rules too. */
function withOnboarding(listed: readonly Problem[]): Problem[] {
  const known = new Set(listed.map(({ code }) => code));
  const rules = Object.entries(ONBOARDING_REFUSALS).filter(([code]) => !known.has(code));
  return [...listed, ...problems(422, 'validation', rules.map(([code, message]) => [code, `${message.charAt(0).toUpperCase()}${message.slice(1)}.`]))];
}

const BY_CODE = new Map(CATALOGUE.map((problem) => [problem.code, problem]));

/** The problem of a code, undefined when the catalogue does not list it. */
export const findProblem = (code: string): Problem | undefined => BY_CODE.get(code);

/** The problem of a code that this service itself names; an unlisted one is a fault of the program. */
export function problemOf(code: string): Problem {
  const problem = BY_CODE.get(code);
  if (!problem) throw new Error(`the catalogue has no code ${code}`);
  return problem;
}
