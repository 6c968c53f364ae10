import { isOwnList } from './screening/own-lists.domain';

/** The default paths in a screening vendor's JSON, such as `data.matches`. The paths of a hit start at the hit. */
export const SCREENING_FIELDS = {
  hits: 'hits',
  list: 'list',
  'entry-id': 'entry-id',
  score: 'score',
  'matched-on': 'matched-on',
  /** Only in callbacks, like the next one. */
  'subject-ref': 'subject-ref',
  'event-id': 'event-id',
};

/** The default paths in a liveness provider's JSON, both in results and in callbacks. */
export const LIVENESS_FIELDS = {
  'session-id': 'session-id',
  outcome: 'status',
  'event-id': 'event-id',
  /** RFC 3339, or epoch seconds or milliseconds. */
  'decided-at': 'decided-at',
};

/** The default words for the two final outcomes, in lower case. Any other word means pending. */
export const LIVENESS_WORDS = {
  passed: ['passed', 'approved', 'success'],
  failed: ['failed', 'declined', 'rejected', 'spoof'],
} as const;

/** How a vendor signs callbacks: hex HMAC-SHA256 of `<timestamp>.<body>` with any secret (two during a rotation). */
export interface CallbackSignature {
  readonly secrets: readonly string[];
  /** Header with the sending time in epoch seconds; `x-timestamp` by default. */
  readonly timestampHeader: string;
  /** Header with signatures separated by commas or spaces, each optionally prefixed by `v1=` or `sha256=`. */
  readonly signatureHeader: string;
}

export interface ScreeningVendorSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<typeof SCREENING_FIELDS>;
  /** Ponte's names of the vendor's lists, by the vendor's names. A list without one keeps its own. */
  readonly lists: Readonly<Record<string, string>>;
  /** The vendor's best score, for example 1 or 100. */
  readonly bestScore: number;
  /** Null if the vendor sends no callbacks. */
  readonly callback: CallbackSignature | null;
}

export interface LivenessVendorSettings {
  /** The name that partners use. */
  readonly name: string;
  /** Contains `{id}` as the placeholder for the session's id. */
  readonly resultUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<typeof LIVENESS_FIELDS>;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Null if the provider sends no callbacks. */
  readonly callback: CallbackSignature | null;
}

type Json = Readonly<Record<string, unknown>>;

/** What a list may be called. */
const LIST_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;
/** Shorter secrets could be guessed. */
const MIN_SECRET = 16;

/** Throws an Error that names the variable and the field, and never quotes the value, because it contains keys. */
export function screeningVendor(variable: string, json: string): ScreeningVendorSettings {
  const vendor = object(variable, parsed(variable, json), [
    'url',
    'headers',
    'fields',
    'lists',
    'best-score',
    'callback',
  ]);
  const bestScore = vendor['best-score'] ?? 100;
  if (typeof bestScore !== 'number' || !(bestScore > 0))
    throw new Error(`${variable}: best-score must be a number greater than zero`);
  return {
    url: url(variable, 'url', vendor['url']),
    headers: texts(variable, 'headers', vendor['headers']),
    fields: fields(variable, vendor['fields'], SCREENING_FIELDS),
    lists: listNames(variable, vendor['lists']),
    bestScore,
    callback: callback(variable, vendor['callback']),
  };
}

/** Like {@link screeningVendor}, for the list of liveness providers. */
export function livenessVendors(variable: string, json: string): readonly LivenessVendorSettings[] {
  const list = parsed(variable, json);
  if (!Array.isArray(list)) throw new Error(`${variable} must be a JSON list`);
  const vendors = list.map((one: unknown) => livenessVendor(variable, one));
  if (new Set(vendors.map(({ name }) => name)).size !== vendors.length)
    throw new Error(`${variable} must not repeat a name`);
  return vendors;
}

function livenessVendor(variable: string, one: unknown): LivenessVendorSettings {
  const vendor = object(variable, one, ['name', 'result-url', 'headers', 'fields', 'passed', 'failed', 'callback']);
  const { name } = vendor;
  if (typeof name !== 'string' || !/^[A-Za-z0-9._-]{1,60}$/.test(name))
    throw new Error(`${variable}: a name must have 1 to 60 letters, digits, dots, hyphens and underscores`);
  const resultUrl = url(variable, 'result-url', vendor['result-url']);
  if (!resultUrl.includes('{id}')) throw new Error(`${variable}: result-url must contain {id}`);
  const words = (field: 'passed' | 'failed'): readonly string[] =>
    vendor[field] === undefined
      ? LIVENESS_WORDS[field]
      : list(variable, field, vendor[field]).map((word) => word.toLowerCase());
  return {
    name,
    resultUrl,
    headers: texts(variable, 'headers', vendor['headers']),
    fields: fields(variable, vendor['fields'], LIVENESS_FIELDS),
    passed: words('passed'),
    failed: words('failed'),
    callback: callback(variable, vendor['callback']),
  };
}

function callback(variable: string, value: unknown): CallbackSignature | null {
  if (value === undefined || value === null) return null;
  const given = object(variable, value, ['secrets', 'timestamp-header', 'signature-header']);
  const secrets = list(variable, 'secrets', given['secrets']);
  if (secrets.length === 0 || secrets.some((secret) => secret.length < MIN_SECRET))
    throw new Error(`${variable}: secrets must be a list of one or more, each of at least ${MIN_SECRET} characters`);
  const header = (field: string, usual: string): string => {
    const name = given[field] ?? usual;
    if (typeof name !== 'string' || !/^[A-Za-z0-9-]{1,60}$/.test(name))
      throw new Error(`${variable}: ${field} must be a header name`);
    return name.toLowerCase();
  };
  return {
    secrets,
    timestampHeader: header('timestamp-header', 'x-timestamp'),
    signatureHeader: header('signature-header', 'x-signature'),
  };
}

function fields<F extends Readonly<Record<string, string>>>(variable: string, value: unknown, usual: F): F {
  return { ...usual, ...texts(variable, 'fields', object(variable, value ?? {}, Object.keys(usual))) };
}

function listNames(variable: string, value: unknown): Readonly<Record<string, string>> {
  const names = texts(variable, 'lists', value);
  if (Object.values(names).some((name) => !LIST_NAME.test(name) || isOwnList(name)))
    throw new Error(
      `${variable}: the values of lists must be 1 to 40 lower-case letters, digits and hyphens, and not liveness, more-matches or name-letters`,
    );
  return names;
}

function parsed(variable: string, json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new Error(`${variable} must be JSON`);
  }
}

function object(variable: string, value: unknown, known: readonly string[]): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${variable}: a vendor, its fields and its callback must be JSON objects`);
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown !== undefined) throw new Error(`${variable} has an unknown field; accepted are ${known.join(', ')}`);
  return value as Json;
}

function texts(variable: string, field: string, value: unknown): Readonly<Record<string, string>> {
  if (typeof (value ?? {}) !== 'object' || Array.isArray(value))
    throw new Error(`${variable}: ${field} must be an object`);
  const entries = Object.entries((value ?? {}) as Json);
  if (entries.some(([, text]) => typeof text !== 'string'))
    throw new Error(`${variable}: the fields of ${field} must be strings`);
  return Object.fromEntries(entries) as Record<string, string>;
}

function list(variable: string, field: string, value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
    throw new Error(`${variable}: ${field} must be a list of strings`);
  return value as string[];
}

function url(variable: string, field: string, value: unknown): string {
  const plain = typeof value === 'string' ? value.replace('{id}', 'id') : '';
  if (!URL.canParse(plain) || !/^https?:$/.test(new URL(plain).protocol))
    throw new Error(`${variable}: ${field} must be an http or https URL`);
  return value as string;
}
