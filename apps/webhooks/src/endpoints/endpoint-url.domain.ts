import type { Violation } from '@ponte/kernel';
import type { TargetRules } from './target.domain';
import { refusalsOfTarget } from './target.domain';

/** Longer addresses are refused: some proxies cut them. */
const MAX_URL_LENGTH = 2048;

/**
 * What is wrong with the URL of an endpoint, without resolving its host. Credentials in a URL end up in logs, and a
 * fragment is never sent, so both are refused.
 */
export function violationsOfUrl(text: string, rules: TargetRules): Violation[] {
  const violation = (message: string): Violation[] => [{ code: 'invalid-format', path: 'url', message }];
  if (text.length > MAX_URL_LENGTH) return violation(`url has at most ${MAX_URL_LENGTH} characters`);
  // The parser would silently drop spaces, tabs and line ends, and the address would not be the one that was sent.
  if (!/^[\x21-\x7e]+$/.test(text)) return violation('url has printable ASCII characters alone');
  if (!URL.canParse(text)) return violation('url is an absolute address');
  const refusals = refusalsOfTarget(new URL(text), rules);
  if (refusals.length > 0) return refusals.flatMap(violation);
  if (text.includes('#')) return violation('url carries no fragment');
  return [];
}
