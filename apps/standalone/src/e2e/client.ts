import { Agent, request } from 'undici';

export type Json = Readonly<Record<string, unknown>>;

export interface Answer<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it came, byte for byte. */
  readonly text: string;
  readonly body: T;
}

export interface ErrorBody {
  readonly error: { readonly type: string; readonly message: string; readonly code: string; readonly details?: readonly (Json & { readonly code: string })[] };
}

type Headers = Readonly<Record<string, string>>;

/** A partner's back end as far as the wire: tells what was answered, whatever it is. */
export class Client {
  private readonly agent = new Agent({ connections: 64, pipelining: 1, headersTimeout: 30_000, bodyTimeout: 30_000 });

  constructor(readonly baseUrl: string, private readonly credentials: Headers) {}

  static bearer(baseUrl: string, apiKey: string): Client {
    return new Client(baseUrl, { authorization: `Bearer ${apiKey}` });
  }

  /** Rejects when no answer came. An answer that is not JSON has the body undefined. */
  async send<T = ErrorBody>(method: string, path: string, body?: Json | string, headers: Headers = {}): Promise<Answer<T>> {
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await request(`${this.baseUrl}${path}`, {
      method: method as 'GET', dispatcher: this.agent, body: payload ?? null,
      headers: { ...this.credentials, ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    });
    const text = await response.body.text();
    return { status: response.statusCode, headers: response.headers, text, body: parsed(text) as T };
  }

  /** The body of a success; throws on anything else. */
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

function succeeded<T>({ status, text, body }: Answer<T>): T {
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
