import type { ErrorCode, Violation } from '@ponte/kernel';
import { Refusal, Unavailable } from '@ponte/kernel';
import { currentUser } from '@ponte/operator';

/** A service that takes longer than this, in milliseconds, is stuck. */
const TIMEOUT_MS = 15_000;

export interface StaffGateway {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
}

/** The user of this machine, in the form of the header `X-Operator`: printable ASCII. */
const operatorName = (): string =>
  currentUser()
    .replaceAll(/[^!-~]/g, '?')
    .slice(0, 80);

/** The name and password of a staff member who signs in for one verb. */
interface StaffSignIn {
  readonly as: string;
  readonly password: string;
}

interface WireError {
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details?: readonly Violation[] };
}
type Method = 'GET' | 'POST' | 'DELETE';
type Headers = Readonly<Record<string, string>>;

/** Requests within the session of a staff member. */
export type StaffSession = Pick<StaffApi, 'get' | 'page' | 'post'>;

/**
 * A client of an installation's staff API. Requests throw `Refusal` if the gateway refuses, and `Unavailable` without a
 * response or with a 5xx status. Null members of a body are left out.
 */
export class StaffApi {
  /** `gateway` is called for each request but never before the first, so that a verb without requests opens nothing. */
  constructor(private readonly gateway: () => Promise<StaffGateway>) {}

  async get<T>(path: string): Promise<T> {
    return (await this.send<T>('GET', path)).answer;
  }

  async post<T>(path: string, body?: object, timeoutMs?: number): Promise<T> {
    return (await this.send<T>('POST', path, { body, timeoutMs })).answer;
  }

  /** Returns one page of a list and the cursor of the next page. */
  async page<T>(path: string): Promise<{ readonly body: T; readonly next: string | null }> {
    return pageOf(await this.send<T>('GET', path));
  }

  /**
   * Signs a staff member in, makes the requests of `work`, and signs out. Refuses `sign-in-refused`, including when
   * staff sign in by OpenID Connect.
   */
  async signedIn<R>({ as, password }: StaffSignIn, work: (session: StaffSession) => Promise<R>): Promise<R> {
    const path = '/staff/v1/session';
    const { response, answer } = await this.send<{ session: { 'csrf-token': string } }>('POST', path, {
      body: { name: as, password },
      headers: {},
    });
    const cookies = response.headers.getSetCookie().map((one) => one.split(';')[0]);
    const headers = { cookie: cookies.join('; '), 'x-csrf-token': answer.session['csrf-token'] };
    try {
      return await work({
        get: async <T>(of: string) => (await this.send<T>('GET', of, { headers })).answer,
        page: async <T>(of: string) => pageOf(await this.send<T>('GET', of, { headers })),
        post: async <T>(of: string, body?: object) => (await this.send<T>('POST', of, { body, headers })).answer,
      });
    } finally {
      await this.send('DELETE', path, { headers }).catch(() => undefined);
    }
  }

  /** Errors never contain the request or the response. */
  private async send<T>(
    method: Method,
    path: string,
    { body, headers, timeoutMs = TIMEOUT_MS }: { body?: object; headers?: Headers; timeoutMs?: number } = {},
  ): Promise<{ response: Response; answer: T }> {
    const { baseUrl, token } = await this.gateway();
    const request = {
      method,
      headers: {
        ...(headers ?? { authorization: `Staff ${token}`, 'x-operator': operatorName() }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(given(body)) } : {}),
      redirect: 'error' as const,
      signal: AbortSignal.timeout(timeoutMs),
    };
    const answered = async () => {
      const response = await fetch(baseUrl + path, request);
      return { response, answer: (await response.json()) as T & WireError };
    };
    const { response, answer } = await answered().catch(() => {
      throw new Unavailable(
        'service-unavailable',
        `no answer from ${baseUrl}; check with account list whether it was done before you repeat it`,
      );
    });
    if (!response.ok) throw refusalOf(response.status, answer);
    return { response, answer };
  }
}

const pageOf = <T>({ answer, response }: { readonly answer: T; readonly response: Response }) => ({
  body: answer,
  next: response.headers.get('x-next-cursor'),
});

const given = (body: object): object =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null && value !== undefined));

function refusalOf(status: number, { error }: WireError): Error {
  if (status >= 500)
    return new Unavailable('service-unavailable', `the service answered ${status} ${error?.code ?? ''}`.trim());
  if (!error) return new Error(`the service answered ${status} in an unknown format`);
  const own: Violation = { code: error.code, path: '', message: error.message };
  return new Refusal(error.details && error.details.length > 0 ? error.details : [own]);
}
