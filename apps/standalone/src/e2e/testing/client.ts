import { randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { until } from './waiting';

export type Json = Readonly<Record<string, unknown>>;

export interface Answer<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as received, byte for byte. */
  readonly text: string;
  readonly body: T;
}

export interface ErrorBody {
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly code: string;
    readonly details?: readonly (Json & { readonly code: string })[];
  };
}

/** The status of a response, followed by its code if it is an error: `422 insufficient-balance` or `200`. */
export const codeOf = ({ status, body }: Pick<Answer<unknown>, 'status' | 'body'>): string =>
  `${status} ${(body as Partial<ErrorBody> | undefined)?.error?.code ?? ''}`.trim();

/** Path and code of every violation, such as `amount invalid-amount`. */
export const codesOf = ({ body }: Answer<unknown>): string[] =>
  ((body as ErrorBody).error.details ?? []).map(({ path, code }) => `${String(path)} ${code}`);

/** Longer than the 30 s for which an interrupted request keeps its key locked. */
const PERSIST_MS = 90_000;
const PERSIST_STEP_MS = 250;

type Headers = Readonly<Record<string, string>>;

/** The HTTP client of a partner's backend. {@link send} returns every response, including errors. */
export class Client {
  /** How often {@link persist} got a 503. */
  unavailable = 0;
  /** How long the slowest response took. */
  slowestMs = 0;
  private readonly agent: Agent;

  constructor(
    readonly baseUrl: string,
    private readonly credentials: Headers,
    connections = 64,
  ) {
    this.agent = new Agent({ connections, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 });
  }

  static bearer(baseUrl: string, apiKey: string): Client {
    return new Client(baseUrl, { authorization: `Bearer ${apiKey}` });
  }

  /** Rejects if there is no response. The body of a response that is not JSON is undefined. */
  async send<T = ErrorBody>(
    method: string,
    path: string,
    body?: Json | string,
    headers: Headers = {},
  ): Promise<Answer<T>> {
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const began = performance.now();
    const response = await request(`${this.baseUrl}${path}`, {
      method: method as 'GET',
      dispatcher: this.agent,
      body: payload ?? null,
      headers: {
        ...this.credentials,
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const text = await response.body.text();
    this.slowestMs = Math.max(this.slowestMs, performance.now() - began);
    return { status: response.statusCode, headers: response.headers, text, body: parsed(text) as T };
  }

  /**
   * Retries as the documentation says: with the same key after 503, or after 409 because the first attempt is still
   * running. Rejects after {@link PERSIST_MS} with the last failure.
   */
  persist<T = ErrorBody>(path: string, body: Json, key: string = randomUUID()): Promise<Answer<T>> {
    return until(
      async () => {
        const answer = await this.send<T>('POST', path, body, { 'idempotency-key': key });
        if (answer.status !== 503 && answer.status !== 409) return answer;
        if (answer.status === 503) this.unavailable += 1;
        throw new Error(`HTTP ${answer.status}: ${answer.text}`);
      },
      PERSIST_MS,
      PERSIST_STEP_MS,
    );
  }

  /** Returns the body of a successful response. Throws on any other response. */
  async get<T>(path: string): Promise<T> {
    return succeeded(await this.send<T>('GET', path));
  }

  async post<T>(path: string, body: Json, headers: Headers = {}): Promise<T> {
    return succeeded(await this.send<T>('POST', path, body, headers));
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }
}

export function succeeded<T>({ status, text, body }: Answer<T>): T {
  if (status < 200 || status > 299) throw new Error(`HTTP ${status}: ${text}`);
  return body;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
