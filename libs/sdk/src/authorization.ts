import type { Credentials } from './options';
import { SigningKey } from './signing-key';

/** The parts of a request that a token is bound to. */
export interface AuthorizedRequest {
  readonly method: string;
  readonly uri: string;
  readonly body: Uint8Array | null;
  /** True for an operation that needs no credentials. */
  readonly open: boolean;
}

type HeadersOf = (request: AuthorizedRequest, now: number) => Promise<Record<string, string>>;

/** The header `Date` has no fraction of a second: on average, half a second has passed. */
const HALF_A_SECOND_MS = 500;

/** Adds the credentials of a client to its requests. */
export class Authorization {
  /** In closures, so that printing a client does not show the key. */
  readonly #headersOf: HeadersOf;
  readonly #signs: boolean;
  /** Milliseconds by which the clock of the API is ahead of this machine's. */
  #clockOffsetMs = 0;

  constructor(credentials: Credentials) {
    this.#signs = 'privateKey' in credentials;
    this.#headersOf = 'privateKey' in credentials ? signed(credentials) : bearer(credentials);
  }

  async headersOf(request: AuthorizedRequest): Promise<Record<string, string>> {
    return request.open ? {} : this.#headersOf(request, Date.now() + this.#clockOffsetMs);
  }

  /**
   * Takes the time from a response that refused a token as expired, for all later tokens. Returns false if the clock is
   * not the reason, or if the response does not tell the time.
   */
  adoptClockOf({ status, headers }: Response, code: string): boolean {
    const time = Date.parse(headers.get('date') ?? '');
    if (!this.#signs || status !== 401 || code !== 'token-expired' || Number.isNaN(time)) return false;
    this.#clockOffsetMs = time + HALF_A_SECOND_MS - Date.now();
    return true;
  }
}

const bearer =
  ({ apiKey }: Extract<Credentials, { apiKey: string }>): HeadersOf =>
  async () => ({ authorization: `Bearer ${apiKey}` });

function signed({ keyId, privateKey }: Extract<Credentials, { privateKey: unknown }>): HeadersOf {
  const key = new SigningKey(privateKey);
  return async ({ method, uri, body }, now) => ({
    'x-api-key': keyId,
    authorization: `Bearer ${await key.token({ keyId, method, uri, body }, now)}`,
  });
}
