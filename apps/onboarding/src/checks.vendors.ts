/** Where the screening vendor's JSON has what: paths such as `data.matches`; those of a hit start at the hit. */
export const SCREENING_FIELDS = {
  hits: 'hits',
  list: 'list',
  'entry-id': 'entry-id',
  score: 'score',
  'matched-on': 'matched-on',
  /** In callbacks, as is the next. */
  'subject-ref': 'subject-ref',
  'event-id': 'event-id',
};

/** Where a liveness provider's JSON has what, in its results and its callbacks alike. */
export const LIVENESS_FIELDS = {
  'session-id': 'session-id',
  outcome: 'status',
  'event-id': 'event-id',
  /** RFC 3339, or epoch seconds or milliseconds. */
  'decided-at': 'decided-at',
};

/** The usual words for the two ends, in lower case; every other word means pending. */
export const LIVENESS_WORDS = {
  passed: ['passed', 'approved', 'success'],
  failed: ['failed', 'declined', 'rejected', 'spoof'],
} as const;

/**
 * How a vendor signs what it sends: HMAC-SHA256 of `<timestamp>.<body>`, in hex, under any of the secrets (two while
 * one is replaced).
 */
export interface CallbackSignature {
  readonly secrets: readonly string[];
  /** Header of the epoch seconds at which it was sent; `x-timestamp` by default. */
  readonly timestampHeader: string;
  /** Header of the signatures: one or several, with commas or spaces between, each bare or after `v1=` or `sha256=`. */
  readonly signatureHeader: string;
}

export interface ScreeningVendorSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<typeof SCREENING_FIELDS>;
  /** What the vendor's best score is: 1 or 100. */
  readonly bestScore: number;
  /** Null: the vendor sends nothing by itself. */
  readonly callback: CallbackSignature | null;
}

export interface LivenessVendorSettings {
  /** As partners name it. */
  readonly name: string;
  /** With `{id}` where the session's id belongs. */
  readonly resultUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<typeof LIVENESS_FIELDS>;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Null: the provider sends nothing by itself. */
  readonly callback: CallbackSignature | null;
}

type Json = Readonly<Record<string, unknown>>;

/** Guessing a shorter one pays. */
const MIN_SECRET = 16;

/** Throws an Error that names the variable and the member, and quotes nothing: keys stand in it. */
export function screeningVendor(variable: string, json: string): ScreeningVendorSettings {
  const vendor = object(variable, parsed(variable, json), ['url', 'headers', 'fields', 'best-score', 'callback']);
  const bestScore = vendor['best-score'] ?? 100;
  if (typeof bestScore !== 'number' || !(bestScore > 0))
    throw new Error(`${variable}: best-score is a number above zero`);
  return {
    url: url(variable, 'url', vendor['url']),
    headers: texts(variable, 'headers', vendor['headers']),
    fields: fields(variable, vendor['fields'], SCREENING_FIELDS),
    bestScore,
    callback: callback(variable, vendor['callback']),
  };
}

/** The same for the list of liveness providers. */
export function livenessVendors(variable: string, json: string): readonly LivenessVendorSettings[] {
  const list = parsed(variable, json);
  if (!Array.isArray(list)) throw new Error(`${variable} is a JSON list`);
  const vendors = list.map((one: unknown) => livenessVendor(variable, one));
  if (new Set(vendors.map(({ name }) => name)).size !== vendors.length) throw new Error(`${variable} has a name twice`);
  return vendors;
}

function livenessVendor(variable: string, one: unknown): LivenessVendorSettings {
  const vendor = object(variable, one, ['name', 'result-url', 'headers', 'fields', 'passed', 'failed', 'callback']);
  const { name } = vendor;
  if (typeof name !== 'string' || !/^[A-Za-z0-9._-]{1,60}$/.test(name))
    throw new Error(`${variable}: a name has 1 to 60 letters, digits, dots, hyphens and underscores`);
  const resultUrl = url(variable, 'result-url', vendor['result-url']);
  if (!resultUrl.includes('{id}')) throw new Error(`${variable}: result-url has no {id} in it`);
  const words = (member: 'passed' | 'failed'): readonly string[] =>
    vendor[member] === undefined
      ? LIVENESS_WORDS[member]
      : list(variable, member, vendor[member]).map((word) => word.toLowerCase());
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
    throw new Error(`${variable}: secrets are one or more of at least ${MIN_SECRET} characters`);
  const header = (member: string, usual: string): string => {
    const name = given[member] ?? usual;
    if (typeof name !== 'string' || !/^[A-Za-z0-9-]{1,60}$/.test(name))
      throw new Error(`${variable}: ${member} is no name of a header`);
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

function parsed(variable: string, json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    throw new Error(`${variable} is not JSON`);
  }
}

function object(variable: string, value: unknown, known: readonly string[]): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${variable} has something else where an object belongs`);
  const unknown = Object.keys(value).find((member) => !known.includes(member));
  if (unknown !== undefined) throw new Error(`${variable} has an unknown member; accepted are ${known.join(', ')}`);
  return value as Json;
}

function texts(variable: string, member: string, value: unknown): Readonly<Record<string, string>> {
  if (typeof (value ?? {}) !== 'object' || Array.isArray(value)) throw new Error(`${variable}: ${member} is an object`);
  const entries = Object.entries((value ?? {}) as Json);
  if (entries.some(([, text]) => typeof text !== 'string'))
    throw new Error(`${variable}: the members of ${member} are texts`);
  return Object.fromEntries(entries) as Record<string, string>;
}

function list(variable: string, member: string, value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.some((one) => typeof one !== 'string'))
    throw new Error(`${variable}: ${member} is a list of texts`);
  return value as string[];
}

function url(variable: string, member: string, value: unknown): string {
  const plain = typeof value === 'string' ? value.replace('{id}', 'id') : '';
  if (!URL.canParse(plain) || !/^https?:$/.test(new URL(plain).protocol))
    throw new Error(`${variable}: ${member} is no http or https URL`);
  return value as string;
}
