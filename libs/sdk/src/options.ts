import { PonteConfigurationError } from './errors';
import type { SigningKeyInput } from './signing-key';

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
  /** URL of the API, such as the `base-url` of `sandbox.json`. Must be https, except on loopback. */
  readonly baseUrl: string;
  /** Milliseconds for one attempt, including the body. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Number of retries after the first attempt. Default: 4. */
  readonly maxRetries?: number;
  /** If `Retry-After` is longer than this many milliseconds, the call fails instead of waiting. Default: 60,000. */
  readonly maxRetryAfterMs?: number;
  /** Function that sends the requests. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
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
}

const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 4;
const MAX_RETRY_AFTER_MS = 60_000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Adds the defaults. Throws {@link PonteConfigurationError} for a URL that would send keys unencrypted. */
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
    // Called as a plain function, because some runtimes refuse to call `fetch` with another `this`.
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
