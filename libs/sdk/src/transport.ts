import { aborted, errorOf, isDeleted, report, timedOut, unanswered, unreadable } from './answers';
import { Authorization } from './authorization';
import { isPonteError, PonteConnectionError } from './errors';
import type { PonteApiError } from './errors';
import { mergeHeaders } from './headers';
import type { CallOptions } from './operation-types';
import type { ResolvedSettings } from './options';
import { delayBefore, isTransient, pause } from './retry';

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
  readonly options: CallOptions & { readonly headers?: Readonly<Record<string, string>> };
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
  | { readonly received: Received<Content>; readonly response: Response }
  | { readonly error: PonteApiError | PonteConnectionError; readonly response: Response | null };

interface Attempt {
  readonly request: OutgoingRequest;
  /** True if the time limit also covers the body. */
  readonly whole: boolean;
  /** True if the outcome of an earlier attempt is unknown. */
  readonly isUnknown: boolean;
}

/** Signs, sends and retries requests. */
export class Transport {
  private readonly authorization: Authorization;

  constructor(private readonly settings: ResolvedSettings) {
    this.authorization = new Authorization(settings.credentials);
  }

  /** Sends a request until its response is final or the attempts are used up. `reading` reads the body of a success. */
  async exchange<Content>(request: OutgoingRequest, reading: Reading<Content>): Promise<Received<Content>> {
    const { signal, maxRetries = this.settings.maxRetries } = request.options;
    let isUnknown = false;
    let isClockRight = false;
    for (let attempt = 0; ; attempt += 1) {
      if (signal?.aborted) throw aborted(signal.reason, request, isUnknown);
      const outcome: Outcome<Content> = await this.attempt({ request, whole: true, isUnknown }, reading);
      const { response } = outcome;
      if ('received' in outcome) {
        report(response, attempt + 1, request.options);
        return outcome.received;
      }
      const error: PonteApiError | PonteConnectionError = outcome.error;
      const hasNewTime: boolean = !isClockRight && response !== null && this.adoptsClockOf(response, error);
      isClockRight ||= hasNewTime;
      if (attempt >= maxRetries || !(hasNewTime || this.shouldRetry(request, error))) {
        report(response, attempt + 1, request.options);
        if (response && isUnknown && isDeleted(request, error))
          return { content: undefined as Content, headers: response.headers };
        throw error;
      }
      isUnknown ||= error.mayHaveBeenProcessed;
      const requestedMs = 'retryAfterMs' in error ? error.retryAfterMs : null;
      await pause(hasNewTime ? 0 : delayBefore(attempt, requestedMs), signal).catch((reason: unknown) => {
        throw aborted(reason, request, isUnknown);
      });
    }
  }

  /** Makes one attempt; the caller reads the body. `timeoutMs` ends with the headers. Throws typed errors. */
  async open(request: OutgoingRequest): Promise<OpenResponse> {
    const { signal } = request.options;
    for (let isClockRight = false; ; isClockRight = true) {
      if (signal?.aborted) throw aborted(signal.reason, request, false);
      const opened = await this.timed({ request, whole: false, isUnknown: false }, async (response, release) => {
        if (response.ok) return { response, release };
        const error = await errorOf(response, request, false);
        if (isClockRight || !this.adoptsClockOf(response, error)) throw error;
        release();
        return null;
      });
      if (opened) return opened;
    }
  }

  private adoptsClockOf(response: Response, error: PonteApiError | PonteConnectionError): boolean {
    return 'code' in error && this.authorization.adoptClockOf(response, error.code);
  }

  private shouldRetry(request: OutgoingRequest, error: PonteApiError | PonteConnectionError): boolean {
    if (!('status' in error)) return request.repeatable;
    // A rate limit is checked before anything is done. With any other status, the request may have been processed.
    if (error.status !== 429 && !request.repeatable) return false;
    return isTransient(error.status, error.code) && (error.retryAfterMs ?? 0) <= this.settings.maxRetryAfterMs;
  }

  private async attempt<Content>(attempt: Attempt, reading: Reading<Content>): Promise<Outcome<Content>> {
    const { request, isUnknown } = attempt;
    try {
      return await this.timed(attempt, async (response): Promise<Outcome<Content>> => {
        if (!response.ok) return { error: await errorOf(response, request, isUnknown), response };
        const content = await reading(response);
        try {
          return { received: { content: content(), headers: response.headers }, response };
        } catch {
          return { error: unreadable(response, request, isUnknown, 'the body is not JSON'), response };
        }
      });
    } catch (error) {
      if (error instanceof PonteConnectionError) return { error, response: null };
      throw error;
    }
  }

  /**
   * Sends one request. Any rejection of `fetch` or of the body becomes a connection error, because its class differs
   * between runtimes. If the caller aborts, rejects with a `PonteAbortError`.
   */
  private async timed<Result>(
    { request, whole, isUnknown }: Attempt,
    use: (response: Response, release: () => void) => Promise<Result>,
  ): Promise<Result> {
    const { signal, timeoutMs = this.settings.timeoutMs, headers: added = {} } = request.options;
    const credentials = await this.authorization.headersOf(request);
    const headers = mergeHeaders(this.settings.headers, request.headers, added, credentials);
    if (signal?.aborted) throw aborted(signal.reason, request, isUnknown);
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
      if (signal?.aborted) throw aborted(signal.reason, request, true);
      if (isPonteError(error)) throw error;
      throw late ? timedOut(timeoutMs, request) : unanswered(error, request);
    } finally {
      clearTimeout(timer);
      if (whole) release();
    }
  }
}
