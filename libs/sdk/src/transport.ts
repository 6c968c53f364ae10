import { errorOf, infoOf, timedOut, unanswered, unreadable } from './answers';
import { isPonteError, PonteConnectionError } from './errors';
import type { PonteApiError } from './errors';
import type { CallOptions, ResponseInfo } from './operation-types';
import type { Credentials, ResolvedSettings } from './options';
import { delayBefore, isTransient, pause } from './retry';
import { SigningKey } from './signing-key';

/** A request before it is signed. */
export interface OutgoingRequest {
  readonly method: string;
  /** Path with query. */
  readonly uri: string;
  readonly body: Uint8Array | null;
  readonly headers: Readonly<Record<string, string>>;
  /** True for an operation that needs no credentials. */
  readonly open: boolean;
  /** Sent with a write; null for operations that have none. */
  readonly idempotencyKey: string | null;
  /** True if the request may be repeated after a lost response. */
  readonly repeatable: boolean;
  readonly options: CallOptions;
}

/** A response with its body. */
export interface Received<Content> {
  readonly content: Content;
  readonly headers: Headers;
}

/** A response whose body has not been read yet. */
export interface OpenResponse {
  readonly response: Response;
  /** Call it when the body has ended. Until then, the caller's signal can abort the connection. */
  readonly release: () => void;
}

/** Reads the body of a success. The returned function parses it and throws if it is invalid. */
export type Reading<Content> = (response: Response) => Promise<() => Content>;

/** Reads a JSON body. */
export const readJson: Reading<unknown> = async (response) => {
  const text = await response.text();
  return () => JSON.parse(text) as unknown;
};

type Outcome<Content> =
  | { readonly received: Received<Content>; readonly info: ResponseInfo }
  | { readonly error: PonteApiError | PonteConnectionError; readonly info: ResponseInfo | null };

/** Signs, sends and retries requests. */
export class Transport {
  readonly #authorize: (request: OutgoingRequest) => Promise<Record<string, string>>;

  constructor(
    private readonly settings: ResolvedSettings,
    credentials: Credentials,
  ) {
    // Kept in a closure, so that printing a client does not show the key.
    this.#authorize =
      'apiKey' in credentials
        ? bearer(credentials.apiKey)
        : signed(credentials.keyId, new SigningKey(credentials.privateKey));
  }

  /** Sends a request until its response is final or the attempts are used up. `reading` reads the body of a success. */
  async exchange<Content>(request: OutgoingRequest, reading: Reading<Content>): Promise<Received<Content>> {
    const { signal, maxRetries = this.settings.maxRetries, onResponse } = request.options;
    for (let attempt = 0; ; attempt += 1) {
      signal?.throwIfAborted();
      const outcome = await this.attempt(request, reading, attempt);
      const last = 'received' in outcome || attempt >= maxRetries || !this.shouldRetry(request, outcome.error);
      if (last && outcome.info) onResponse?.(outcome.info);
      if ('received' in outcome) return outcome.received;
      if (last) throw outcome.error;
      await pause(delayBefore(attempt, 'retryAfterMs' in outcome.error ? outcome.error.retryAfterMs : null), signal);
    }
  }

  /** Makes one attempt; the caller reads the body. `timeoutMs` ends with the headers. Throws typed errors. */
  async open(request: OutgoingRequest): Promise<OpenResponse> {
    request.options.signal?.throwIfAborted();
    return this.timed(request, false, async (response, release) => {
      if (response.ok) return { response, release };
      throw await errorOf(response, null);
    });
  }

  private shouldRetry(request: OutgoingRequest, error: PonteApiError | PonteConnectionError): boolean {
    if (!('status' in error)) return request.repeatable;
    // A rate limit is checked before anything is done. With any other status, the request may have been processed.
    if (error.status !== 429 && !request.repeatable) return false;
    return isTransient(error.status, error.code) && (error.retryAfterMs ?? 0) <= this.settings.maxRetryAfterMs;
  }

  private async attempt<Content>(
    request: OutgoingRequest,
    reading: Reading<Content>,
    attempt: number,
  ): Promise<Outcome<Content>> {
    try {
      return await this.timed(request, true, async (response): Promise<Outcome<Content>> => {
        const info = infoOf(response, attempt + 1);
        if (!response.ok) return { error: await errorOf(response, request.idempotencyKey), info };
        const content = await reading(response);
        try {
          return { received: { content: content(), headers: response.headers }, info };
        } catch {
          return { error: unreadable(response, request.idempotencyKey, 'the body is not JSON'), info };
        }
      });
    } catch (error) {
      if (error instanceof PonteConnectionError) return { error, info: null };
      throw error;
    }
  }

  /**
   * Sends one request. Any rejection of `fetch` or of the body becomes a connection error, because its class differs
   * between runtimes. If the caller aborts, rejects with the signal's reason. With `whole`, the time limit also covers
   * `use`.
   */
  private async timed<Result>(
    request: OutgoingRequest,
    whole: boolean,
    use: (response: Response, release: () => void) => Promise<Result>,
  ): Promise<Result> {
    const { signal, timeoutMs = this.settings.timeoutMs, headers: more = {} } = request.options;
    const headers = { ...this.settings.headers, ...request.headers, ...more, ...(await this.#authorize(request)) };
    const controller = new AbortController();
    const abort = (): void => controller.abort(signal?.reason);
    const release = (): void => signal?.removeEventListener('abort', abort);
    signal?.addEventListener('abort', abort, { once: true });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      controller.abort();
    }, timeoutMs);
    try {
      const response = await this.settings.fetch(new URL(request.uri, this.settings.baseUrl).href, {
        method: request.method,
        headers,
        body: request.body as Uint8Array<ArrayBuffer> | null,
        redirect: 'manual',
        signal: controller.signal,
      });
      if (!whole) clearTimeout(timer);
      return await use(response, release);
    } catch (error) {
      release();
      if (signal?.aborted) throw signal.reason;
      if (isPonteError(error)) throw error;
      throw late ? timedOut(timeoutMs, request) : unanswered(error, request);
    } finally {
      clearTimeout(timer);
      if (whole) release();
    }
  }
}

const bearer =
  (apiKey: string) =>
  async ({ open }: OutgoingRequest): Promise<Record<string, string>> =>
    open ? {} : { authorization: `Bearer ${apiKey}` };

const signed =
  (keyId: string, key: SigningKey) =>
  async ({ method, uri, body, open }: OutgoingRequest): Promise<Record<string, string>> =>
    open ? {} : { 'x-api-key': keyId, authorization: `Bearer ${await key.token({ keyId, method, uri, body })}` };
