import type { SandboxStaff } from '../../../onboarding/src/sandbox/sandbox-staff';

/** A staff member's session with the staff API (docs/staff-api.md). */
export interface StaffClient {
  readonly name: string;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: object): Promise<T>;
  signOut(): Promise<void>;
}

const SESSION = '/staff/v1/session';

/** Signs in with name and password, which only the sandbox allows. */
export async function signIn(baseUrl: string, { name, password }: SandboxStaff): Promise<StaffClient> {
  const send = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: object,
  ): Promise<Response> =>
    fetch(`${baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  const answer = await send('POST', SESSION, {}, { name, password });
  const { session } = await bodyOf<{ session: { 'csrf-token': string } }>(answer);
  // A browser keeps the cookie by itself. The CSRF token proves that a write comes from the page that signed in.
  const [cookie = ''] = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0] ?? '');
  const headers = { cookie, 'x-csrf-token': session['csrf-token'] };
  return {
    name,
    get: async <T>(path: string) => bodyOf<T>(await send('GET', path, headers)),
    post: async <T>(path: string, body: object) => bodyOf<T>(await send('POST', path, headers, body)),
    signOut: async () => {
      await send('DELETE', SESSION, headers);
    },
  };
}

async function bodyOf<T>(response: Response): Promise<T> {
  const body: unknown = await response.json();
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${JSON.stringify(body)}`);
  return body as T;
}
