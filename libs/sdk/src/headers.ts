import { PonteConfigurationError } from './errors';

/** Headers that a caller adds to requests. */
export type HeaderInput = Readonly<Record<string, string>> | Headers;

const IDEMPOTENCY_KEY = 'idempotency-key';

/** Printable ASCII. A space at either end would be lost on the way, and two keys would become one. */
const KEY_FORM = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

/** Checks for a method, because the headers may come from another realm. */
const isHeaders = (headers: HeaderInput): headers is Headers => typeof headers['forEach'] === 'function';

function entriesOf(headers: HeaderInput): [string, string][] {
  if (!isHeaders(headers)) return Object.entries(headers);
  const entries: [string, string][] = [];
  headers.forEach((value, name) => entries.push([name, value]));
  return entries;
}

/**
 * Merges headers by name in any case; the last value of a name is sent. `fetch` would join the values of two spellings.
 *
 * @throws PonteConfigurationError if a name or a value cannot be sent; the value is not shown, because it may be a key
 */
export function mergeHeaders(...groups: readonly HeaderInput[]): Record<string, string> {
  const merged = new Headers();
  for (const [name, value] of groups.flatMap(entriesOf)) {
    try {
      if (typeof value !== 'string') throw new TypeError('not a text');
      merged.set(name, value);
    } catch {
      throw new PonteConfigurationError(`the header ${name} cannot be sent: its value must be a text of one line`);
    }
  }
  return Object.fromEntries(entriesOf(merged));
}

/**
 * The headers that a caller adds, with names in lower case. An idempotency key among them would be one more than the
 * key of the write, or the same key for every write of a client.
 *
 * @throws PonteConfigurationError if they contain an idempotency key or cannot be sent
 */
export function addedHeaders(headers: HeaderInput = {}): Record<string, string> {
  const added = mergeHeaders(headers);
  if (IDEMPOTENCY_KEY in added)
    throw new PonteConfigurationError('headers contains Idempotency-Key: pass the option idempotencyKey of the call');
  return added;
}

/** @throws PonteConfigurationError if the API would refuse the key, or get another one */
export function checkedKey(key: string): string {
  if (typeof key === 'string' && KEY_FORM.test(key)) return key;
  throw new PonteConfigurationError(
    'idempotencyKey must be 1 to 255 printable ASCII characters, without a space at its start or end',
  );
}
