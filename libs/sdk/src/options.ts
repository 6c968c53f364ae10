import { PonteConfigurationError } from './errors';
import { addedHeaders } from './headers';
import type { HeaderInput } from './headers';
import { checkSigningKey } from './signing-key';
import type { SigningKeyInput } from './signing-key';
import { VERSION } from './version';

/** A sandbox key, sent as a bearer secret. */
export interface SandboxCredentials {
  /** `sk_test_…` */
  readonly apiKey: string;
}

/** A key pair whose private key signs a JWT for each request. */
export interface SigningCredentials {
  /** `ak_live_…` or `ak_test_…` */
  readonly keyId: string;
  /** PKCS#8 PEM text, a JWK or a `CryptoKey`: RSA of 2048 bits or more, P-256 or Ed25519. */
  readonly privateKey: SigningKeyInput;
}

export type Credentials = SandboxCredentials | SigningCredentials;

interface Settings {
  /** URL of the API without a path, such as the `base-url` of `sandbox.json`. Must be https, except on loopback. */
  readonly baseUrl: string;
  /** Milliseconds for one attempt, including the body, from 1 to 2,147,483,647. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Number of retries after the first attempt. Default: 4. */
  readonly maxRetries?: number;
  /** If `Retry-After` is longer than this many milliseconds, the call fails instead of waiting. Default: 60,000. */
  readonly maxRetryAfterMs?: number;
  /** Function that sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Additional headers of every request, without `Idempotency-Key`. Those of the credentials cannot be replaced. */
  readonly headers?: HeaderInput;
  /**
   * Allows http to a host that is not loopback, such as a container in a private network. Keys are sent unencrypted.
   */
  readonly allowInsecureHttp?: boolean;
}

export type PonteOptions = Settings & Credentials;

/** Options with their defaults. */
export interface ResolvedSettings {
  readonly baseUrl: URL;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxRetryAfterMs: number;
  readonly fetch: typeof fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
}

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 4;
const MAX_RETRY_AFTER_MS = 60_000;
/** A timer of a longer time fires at once. */
const MAX_TIMER_MS = 2_147_483_647;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const CREDENTIAL = /^[!-~]+$/;

/** Adds the defaults. Throws {@link PonteConfigurationError} for options that cannot be used. */
export function resolve(options: PonteOptions): ResolvedSettings {
  const {
    timeoutMs = TIMEOUT_MS,
    maxRetries = MAX_RETRIES,
    maxRetryAfterMs = MAX_RETRY_AFTER_MS,
    headers,
    fetch: send,
  } = options;
  checkTimes({ timeoutMs, maxRetries });
  checkMilliseconds('maxRetryAfterMs', maxRetryAfterMs, 0);
  return {
    baseUrl: baseUrlOf(options),
    timeoutMs,
    maxRetries,
    maxRetryAfterMs,
    headers: { 'user-agent': `ponte-sdk/${VERSION}`, ...addedHeaders(headers) },
    credentials: credentialsOf(options),
    // Called as a plain function, because some runtimes refuse to call `fetch` with another `this`.
    fetch: send ?? ((input, init) => fetch(input, init)),
  };
}

/** Checks the options that a client and a call have in common. */
export function checkTimes({ timeoutMs, maxRetries }: { timeoutMs?: number; maxRetries?: number }): void {
  if (timeoutMs !== undefined) checkMilliseconds('timeoutMs', timeoutMs, 1);
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new PonteConfigurationError(`maxRetries must be a whole number from 0, not ${String(maxRetries)}`);
}

/** Refuses times that a timer cannot wait for, such as `Infinity`. */
export function checkMilliseconds(name: string, ms: number, least: number): void {
  if (typeof ms === 'number' && ms >= least && ms <= MAX_TIMER_MS) return;
  throw new PonteConfigurationError(
    `${name} must be a number of milliseconds from ${least} to ${MAX_TIMER_MS}, not ${String(ms)}`,
  );
}

type GivenCredentials = Partial<SandboxCredentials & SigningCredentials>;

/** A variable of the environment that is not set is no credential, and an empty one is a wrong credential. */
function credentialsOf(given: GivenCredentials): Credentials {
  const apiKey = given.apiKey ?? undefined;
  const keyId = given.keyId ?? undefined;
  const privateKey = given.privateKey ?? undefined;
  if (apiKey !== undefined && (keyId !== undefined || privateKey !== undefined))
    throw new PonteConfigurationError('pass either apiKey, or keyId and privateKey');
  if (apiKey !== undefined) return { apiKey: credential('apiKey', apiKey, 'sk_test_…') };
  if (privateKey === undefined) throw new PonteConfigurationError('pass apiKey, or keyId and privateKey');
  checkSigningKey(privateKey);
  return { keyId: credential('keyId', keyId, 'ak_live_… or ak_test_…'), privateKey };
}

/** The value is not shown, because it may be a secret. */
function credential(name: string, value: string | undefined, form: string): string {
  if (typeof value === 'string' && CREDENTIAL.test(value)) return value;
  throw new PonteConfigurationError(`${name} is missing or not a key: pass ${form}`);
}

function baseUrlOf({ baseUrl, allowInsecureHttp = false }: Settings): URL {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new PonteConfigurationError('baseUrl is not a URL: pass one such as https://api.example.com');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new PonteConfigurationError(`baseUrl has the scheme ${url.protocol} use https:`);
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new PonteConfigurationError(`baseUrl must be only scheme, host and port: pass ${url.origin}`);
  }
  if (url.protocol === 'http:' && !allowInsecureHttp && !LOOPBACK.test(url.hostname)) {
    throw new PonteConfigurationError('baseUrl is http to another host: use https, or allow it with allowInsecureHttp');
  }
  return url;
}
