/** A vendor's callbacks: HMAC-SHA256 of `<timestamp>.<body>`. */
export interface CallbackSettings {
  readonly secrets: readonly string[];
  readonly timestampHeader: string;
  readonly signatureHeader: string;
}

export interface ScreeningVendorSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Overrides of where the vendor's JSON has what. */
  readonly fields: Readonly<Record<string, string>>;
  readonly bestScore: number;
  readonly callback: CallbackSettings | null;
}

export interface LivenessVendorSettings {
  readonly name: string;
  readonly resultUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, string>>;
  /** Null: the usual words. */
  readonly passed: readonly string[] | null;
  readonly failed: readonly string[] | null;
  readonly callback: CallbackSettings | null;
}

type Json = Readonly<Record<string, unknown>>;

/** Guessing a shorter one pays. */
const MIN_SECRET = 16;
const SCREENING_FIELDS = ['hits', 'list', 'entry-id', 'score', 'matched-on', 'subject-ref', 'event-id'];
const LIVENESS_FIELDS = ['session-id', 'outcome', 'event-id', 'decided-at'];

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
  const words = (member: string): readonly string[] | null =>
    vendor[member] === undefined ? null : list(variable, member, vendor[member]).map((word) => word.toLowerCase());
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

function callback(variable: string, value: unknown): CallbackSettings | null {
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

function fields(variable: string, value: unknown, known: readonly string[]): Readonly<Record<string, string>> {
  return texts(variable, 'fields', object(variable, value ?? {}, known));
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
