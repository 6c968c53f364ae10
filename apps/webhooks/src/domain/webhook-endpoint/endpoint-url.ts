import type { Fault } from '@ponte/kernel';
import type { TargetRules } from './target.policy';
import { refusalsOfTarget } from './target.policy';

/** Longer addresses are refused: some proxies cut them. */
const MAX_URL_LENGTH = 2048;

/**
 * What is wrong with the URL of an endpoint, without resolving its host. Credentials in a URL end up in logs, and a fragment
 * is never sent, so both are refused.
 */
export function faultsOfUrl(text: string, rules: TargetRules): Fault[] {
  const fault = (message: string): Fault[] => [{ code: 'invalid-format', path: 'url', message }];
  if (text.length > MAX_URL_LENGTH) return fault(`url has at most ${MAX_URL_LENGTH} characters`);
  // The parser would silently drop spaces, tabs and line ends, and the address would not be the one that was sent.
  if (!/^[\x21-\x7e]+$/.test(text)) return fault('url has printable ASCII characters alone');
  if (!URL.canParse(text)) return fault('url is an absolute address');
  const refusals = refusalsOfTarget(new URL(text), rules);
  if (refusals.length > 0) return refusals.flatMap(fault);
  if (text.includes('#')) return fault('url carries no fragment');
  return [];
}
