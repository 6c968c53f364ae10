import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import { readBody } from '@ponte/kernel';
import { RailFailed, RailTimedOut } from '../pix-charge/pix-charges.port';

/** Access to the bank's API: OAuth2 client credentials over mutual TLS. */
interface BankAccess {
  /** Without a trailing slash. */
  readonly url: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The OAuth2 scopes that are requested, separated by spaces; null to request none. */
  readonly scope: string | null;
  /** PEM: our certificate, its private key, and the CA of the bank's certificate (null for the system's CAs). */
  readonly certificate: string;
  readonly key: string;
  readonly ca: string | null;
  /** Timeout of one request. */
  readonly timeoutMs: number;
  /** System time in milliseconds, for the lifetime of tokens. */
  readonly now: () => number;
}

type Method = 'GET' | 'PUT' | 'PATCH';

export interface BankAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Whether the bank did what was asked. */
export const isDone = ({ status }: BankAnswer): boolean => status >= 200 && status < 300;

/** A token is renewed this long before it expires. */
const RENEW_MS = 30_000;
const MAX_BODY_BYTES = 1_048_576;
const UNAUTHORIZED = 401;
const REQUEST_TIMEOUT = 408;
/** Responses below 500 that say something about the resource, besides 2xx. */
const ANSWERS: readonly number[] = [404, 409, 422];
/** Errors after which the bank certainly did not receive the request. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Exchanges JSON with the bank. Does not follow redirects. */
export class BankClient {
  private readonly agent: Agent;
  private token: { readonly text: string; readonly endsAt: number } | undefined;
  private renewing: Promise<string> | undefined;

  constructor(private readonly access: BankAccess) {
    const { certificate: cert, key, ca } = access;
    this.agent = new Agent({ connect: { cert, key, ...(ca === null ? {} : { ca }) } });
  }

  /**
   * Returns responses with 2xx, and those with a status in `answers` (404, 409 and 422). Rejects with `RailTimedOut` if
   * it is unknown what the bank did (no response, 408, 5xx, not JSON), and with `RailFailed` if the bank certainly did
   * nothing.
   */
  async call(operation: string, method: Method, path: string, body?: unknown, answers = ANSWERS): Promise<BankAnswer> {
    const first = await this.exchange(operation, method, path, body);
    if (first.status !== UNAUTHORIZED) return checked(operation, first, answers);
    // The bank revoked the token before it expired.
    this.token = undefined;
    return checked(operation, await this.exchange(operation, method, path, body), answers);
  }

  close(): Promise<void> {
    return this.agent.close();
  }

  private async exchange(operation: string, method: Method, path: string, body: unknown): Promise<BankAnswer> {
    const token = await this.currentToken(operation);
    try {
      const { statusCode: status, body: stream } = await this.send(
        `${this.access.url}${path}`,
        method,
        {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body === undefined ? null : JSON.stringify(body),
      );
      // Says that nothing was done, whatever the body is: gateways in front of banks answer with a text or a page.
      if (status === UNAUTHORIZED) {
        await stream.dump();
        return { status, body: null };
      }
      return { status, body: parsed(operation, await textOf(operation, stream)) };
    } catch (error) {
      throw asRailTrouble(operation, error);
    }
  }

  private async currentToken(operation: string): Promise<string> {
    if (this.token && this.access.now() < this.token.endsAt) return this.token.text;
    this.renewing ??= this.renew(operation).finally(() => {
      this.renewing = undefined;
    });
    return this.renewing;
  }

  /** Whatever fails here, the payment itself was not sent. */
  private async renew(operation: string): Promise<string> {
    const { tokenUrl, clientId, clientSecret, scope, now } = this.access;
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope === null ? {} : { scope }) });
    const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString('base64');
    try {
      const { statusCode, body } = await this.send(
        tokenUrl,
        'POST',
        {
          authorization: `Basic ${basic}`,
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
        },
        form.toString(),
      );
      const answer = parsed(operation, await textOf(operation, body)) as {
        access_token?: unknown;
        expires_in?: unknown;
      } | null;
      if (statusCode !== 200 || typeof answer?.access_token !== 'string')
        throw new RailFailed(operation, `the token request failed, HTTP ${statusCode}`);
      const lifeMs = (typeof answer.expires_in === 'number' ? answer.expires_in : 0) * 1000;
      this.token = { text: answer.access_token, endsAt: now() + lifeMs - RENEW_MS };
      return answer.access_token;
    } catch (error) {
      throw error instanceof RailFailed ? error : new RailFailed(operation, 'the token request failed');
    }
  }

  private send(
    url: string,
    method: Method | 'POST',
    headers: Readonly<Record<string, string>>,
    body: string | null,
  ): Promise<Dispatcher.ResponseData> {
    return request(url, {
      method,
      headers,
      body,
      dispatcher: this.agent,
      signal: AbortSignal.timeout(this.access.timeoutMs),
    });
  }
}

function checked(operation: string, answer: BankAnswer, answers: readonly number[]): BankAnswer {
  const { status } = answer;
  if (status >= 500 || status === REQUEST_TIMEOUT) throw new RailTimedOut(operation);
  if (isDone(answer) || answers.includes(status)) return answer;
  throw new RailFailed(operation, `HTTP ${status}`);
}

function asRailTrouble(operation: string, error: unknown): Error {
  if (error instanceof RailFailed || error instanceof RailTimedOut) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  return NOT_CONNECTED.has(code) ? new RailFailed(operation, code) : new RailTimedOut(operation);
}

async function textOf(operation: string, body: AsyncIterable<Buffer>): Promise<string> {
  const content = await readBody(body, MAX_BODY_BYTES);
  if (!content) throw new RailTimedOut(operation);
  return content.toString('utf8');
}

/** A response that cannot be parsed does not say what the bank did. */
function parsed(operation: string, text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    throw new RailTimedOut(operation);
  }
}
