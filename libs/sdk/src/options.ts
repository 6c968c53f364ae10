import { PonteConfigurationError } from './errors';
import type { SigningKeyInput } from './signing-key';

/** A key of the sandbox: a bearer secret. */
export interface SandboxCredentials {
  /** `sk_test_…` */
  readonly apiKey: string;
}

/** A key whose private half signs a JWT for each request. */
export interface SigningCredentials {
  /** `ak_live_…` or `ak_test_…` */
  readonly keyId: string;
  /** PKCS#8 PEM text, a JWK or a `CryptoKey`: RSA of 2048 bits or more, P-256 or Ed25519. */
  readonly privateKey: SigningKeyInput;
}

export type Credentials = SandboxCredentials | SigningCredentials;

interface Settings {
  /** Where the API is, such as the `base-url` of `sandbox.json`. Must be https, except on loopback. */
  readonly baseUrl: string;
  /** Milliseconds for one attempt, the body included. 30,000 when absent. */
  readonly timeoutMs?: number;
  /** Attempts after the first one. 4 when absent. */
  readonly maxRetries?: number;
  /** A longer `Retry-After` ends the call with its error. 60,000 when absent. */
  readonly maxRetryAfterMs?: number;
  /** Sends the requests; the global `fetch` when absent. */
  readonly fetch?: typeof fetch;
  /** Added to every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Allows http to a host that is not loopback, such as a container of a private network. Keys are sent in clear. */
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
}

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 4;
const MAX_RETRY_AFTER_MS = 60_000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Fills in the defaults; throws {@link PonteConfigurationError} on a URL that would send keys in clear. */
export function resolve(options: PonteOptions): ResolvedSettings {
  const {
    timeoutMs = TIMEOUT_MS,
    maxRetries = MAX_RETRIES,
    maxRetryAfterMs = MAX_RETRY_AFTER_MS,
    headers = {},
  } = options;
  return {
    baseUrl: baseUrlOf(options),
    timeoutMs,
    maxRetries,
    maxRetryAfterMs,
    headers,
    // Called as a plain function: some runtimes refuse `fetch` with another `this`.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
  };
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
  if (url.protocol === 'http:' && !allowInsecureHttp && !LOOPBACK.test(url.hostname)) {
    throw new PonteConfigurationError('baseUrl is http to another host: use https, or allow it with allowInsecureHttp');
  }
  return url;
}
