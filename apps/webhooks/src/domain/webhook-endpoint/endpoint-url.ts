import type { Fault } from '@ponte/kernel';

/** Longer addresses are refused: some proxies cut them. */
const MAX_URL_LENGTH = 2048;

/**
 * What is wrong with the address of an endpoint. Contract §12: https alone outside the sandbox. Credentials in an
 * address end up in logs, and a fragment is never sent, so both are refused.
 */
export function faultsOfUrl(text: string, plainHttpAllowed: boolean): Fault[] {
  const fault = (message: string): Fault[] => [{ code: 'invalid-format', path: 'url', message }];
  if (text.length > MAX_URL_LENGTH) return fault(`url has at most ${MAX_URL_LENGTH} characters`);
  // The parser would silently drop spaces, tabs and line ends, and the address would not be the one that was sent.
  if (!/^[\x21-\x7e]+$/.test(text)) return fault('url has printable ASCII characters alone');
  if (!URL.canParse(text)) return fault('url is an absolute address');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(plainHttpAllowed && url.protocol === 'http:')) {
    return fault(plainHttpAllowed ? 'url starts with https:// or http://' : 'url starts with https://');
  }
  if (url.username !== '' || url.password !== '') return fault('url carries no credentials');
  if (text.includes('#')) return fault('url carries no fragment');
  return [];
}
