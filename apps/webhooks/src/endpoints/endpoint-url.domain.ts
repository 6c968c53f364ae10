import type { Violation } from '@ponte/kernel';
import type { TargetRules } from './target.domain';
import { refusalsOfTarget } from './target.domain';

/** Longer URLs are refused, because some proxies truncate them. */
const MAX_URL_LENGTH = 2048;

/**
 * Checks the URL of an endpoint without resolving its host. Credentials are refused because URLs end up in logs, and a
 * fragment because it is never sent.
 */
export function violationsOfUrl(text: string, rules: TargetRules): Violation[] {
  const violation = (message: string): Violation[] => [{ code: 'invalid-format', path: 'url', message }];
  if (text.length > MAX_URL_LENGTH) return violation(`must have at most ${MAX_URL_LENGTH} characters`);
  // The parser would silently drop spaces, tabs and line ends, so the URL would differ from the one that was sent.
  if (!/^[\x21-\x7e]+$/.test(text)) return violation('must contain only printable ASCII characters, without spaces');
  if (!URL.canParse(text)) return violation('must be an absolute URL');
  const refusals = refusalsOfTarget(new URL(text), rules);
  if (refusals.length > 0) return refusals.flatMap(violation);
  if (text.includes('#')) return violation('must not contain a fragment');
  return [];
}
