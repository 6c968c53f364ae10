import type { CryptoKey } from 'jose';
import { PonteConfigurationError, PonteError } from '../errors';
import type { WebhookEvent } from './webhook-event';

const PREFIX = 'whsec_';
const VERSION = 'v1';
const TOLERANCE_SECONDS = 300;
const MS_PER_SECOND = 1_000;
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

/** Why a webhook was rejected: the code of a {@link WebhookVerificationError}. */
export type WebhookVerificationErrorCode =
  'missing-header' | 'invalid-timestamp' | 'timestamp-out-of-range' | 'signature-mismatch' | 'invalid-body';

/** A webhook that must not be trusted. Respond with 400. */
export class WebhookVerificationError extends PonteError {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly code: WebhookVerificationErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** Headers of a request: those of `fetch`, or an object such as Node's `request.headers`. */
export type IncomingHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A webhook as it was received. */
export interface IncomingWebhook {
  readonly headers: IncomingHeaders;
  /** The raw body. A parsed body cannot be verified, because its original bytes are lost. */
  readonly body: string | Uint8Array;
}

export interface VerifyOptions {
  /** The largest accepted difference between the timestamp and now, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. Default: the machine's time. */
  readonly now?: number;
}

/**
 * Verifies the signature of a webhook (Standard Webhooks) and returns its event. The comparison takes constant time.
 *
 * @param secret the endpoint's `whsec_…` secret; during a rotation, the old and the new one
 * @throws WebhookVerificationError if the webhook must not be trusted
 */
export async function verifyWebhook(
  webhook: IncomingWebhook,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = options;
  const secrets = keysOf(secret);
  const id = header(webhook.headers, 'webhook-id');
  const timestamp = header(webhook.headers, 'webhook-timestamp');
  const signatures = header(webhook.headers, 'webhook-signature');
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookVerificationError('invalid-timestamp', 'webhook-timestamp must be seconds since 1970');
  if (Math.abs(now / MS_PER_SECOND - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp-out-of-range',
      `webhook-timestamp is more than ${toleranceSeconds} s away from now: check the clock`,
    );
  }
  const body = typeof webhook.body === 'string' ? new TextEncoder().encode(webhook.body) : webhook.body;
  const signed = signedContent(id, timestamp, body);
  if (!(await anyMatches(secrets, signaturesIn(signatures), signed))) {
    throw new WebhookVerificationError(
      'signature-mismatch',
      'no signature matches: check the secret, and pass the raw body',
    );
  }
  return eventIn(body);
}

/** Creates the three headers of a webhook as the API sends them, to test a receiver. */
export async function signWebhook(
  { id, timestamp, body }: { readonly id: string; readonly timestamp: number; readonly body: string },
  secret: string | readonly string[],
): Promise<{ 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string }> {
  const content = signedContent(id, String(timestamp), new TextEncoder().encode(body));
  const signatures = keysOf(secret).map(
    async (raw) => `${VERSION},${base64(await crypto.subtle.sign(HMAC.name, await keyOf(raw, 'sign'), content))}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': (await Promise.all(signatures)).join(' '),
  };
}

/** Creates a random secret in the format of the API. */
export const createWebhookSecret = (): string =>
  `${PREFIX}${base64(crypto.getRandomValues(new Uint8Array(24)).buffer)}`;

/** Checks for a method, because the headers may come from another realm. */
const isHeaders = (headers: IncomingHeaders): headers is Headers => typeof headers['get'] === 'function';

function header(headers: IncomingHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : valueIn(headers, name);
  if (value === null || value === '')
    throw new WebhookVerificationError('missing-header', `the header ${name} is missing`);
  return value;
}

function valueIn(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | null {
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  return (typeof found === 'string' ? found : found?.join(' ')) ?? null;
}

/** Checks every combination, so that the time does not reveal which one matches. */
async function anyMatches(secrets: readonly Bytes[], signatures: readonly Bytes[], content: Bytes): Promise<boolean> {
  const keys = await Promise.all(secrets.map((raw) => keyOf(raw, 'verify')));
  const checks = keys.flatMap((key) =>
    signatures.map((signature) => crypto.subtle.verify(HMAC.name, key, signature, content)),
  );
  return (await Promise.all(checks)).includes(true);
}

/** Parses `v1,<base64>` values separated by spaces. Unknown versions are skipped. */
const signaturesIn = (text: string): Bytes[] =>
  text.split(' ').flatMap((one) => {
    const [version, value = ''] = one.split(',');
    const bytes = version === VERSION ? fromBase64(value) : null;
    return bytes ? [bytes] : [];
  });

function keysOf(secret: string | readonly string[]): Bytes[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0)
    throw new PonteConfigurationError('at least one webhook secret is required');
  return secrets.map((one) => {
    const bytes = fromBase64(one.startsWith(PREFIX) ? one.slice(PREFIX.length) : one);
    if (!bytes || bytes.length === 0)
      throw new PonteConfigurationError('a webhook secret must be base64, with or without the prefix whsec_');
    return bytes;
  });
}

const keyOf = (raw: Bytes, use: 'sign' | 'verify'): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', raw, HMAC, false, [use]);

type Bytes = Uint8Array<ArrayBuffer>;

function signedContent(id: string, timestamp: string, body: Uint8Array): Bytes {
  const start = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(start.length + body.length);
  content.set(start);
  content.set(body, start.length);
  return content;
}

function eventIn(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError('invalid-body', 'the body is signed, but is not JSON');
  }
}

const base64 = (buffer: ArrayBuffer): string => btoa(String.fromCharCode(...new Uint8Array(buffer)));

function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
