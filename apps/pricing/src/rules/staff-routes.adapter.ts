import type { ErrorCode, Violation } from '@ponte/kernel';
import { Refusal, Unavailable } from '@ponte/kernel';
import type { RulesRoutesPort } from './rules.verbs';

/** A back-test reads the end of the log and prices hundreds of quotes. */
const TIMEOUT_MS = 60_000;

export interface RulesGateway {
  /** Of the running gateway, without a slash at the end. */
  readonly baseUrl: string;
  /** The staff token. */
  readonly token: string;
}

interface WireError {
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly Violation[] };
}

/** The staff routes on pricing rules of a running gateway. Responses are passed on as they come. */
export class RulesRoutes implements RulesRoutesPort {
  /** `gateway` is called at the first request: a check of a file needs none. */
  constructor(private readonly gateway: () => RulesGateway) {}

  /** Throws `Refusal` with what the gateway refuses, and `Unavailable` when it gives no answer. */
  async get<T>(path: string): Promise<T> {
    return this.send<T>('GET', path);
  }

  async post<T>(path: string, body: object): Promise<T> {
    return this.send<T>('POST', path, body);
  }

  private async send<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const { baseUrl, token } = this.gateway();
    const answer = await fetch(`${baseUrl}/staff/pricing-rules${path}`, {
      method,
      headers: { authorization: `Staff ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => {
      throw new Unavailable(
        'service-unavailable',
        `no answer from ${baseUrl}; start Ponte, or name an installation by --at`,
      );
    });
    const json = (await answer.json()) as T & WireError;
    if (!answer.ok) throw refusalOf(answer.status, json);
    return json;
  }
}

function refusalOf(status: number, { error }: WireError): Error {
  if (!error || status >= 500) return new Unavailable('service-unavailable', `the service answered ${status}`);
  return new Refusal(error.details?.length ? error.details : [{ code: error.code, path: '', message: error.message }]);
}
