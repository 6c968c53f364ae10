import { Client } from './client';

interface SignIn {
  readonly name: string;
  readonly password: string;
}
interface SessionEnvelope {
  readonly session: { readonly 'csrf-token': string; readonly 'staff-id': string };
}

/** Signs in and returns the headers of the session: its cookie, and the CSRF token for writes. */
export async function signIn(baseUrl: string, { name, password }: SignIn): Promise<Record<string, string>> {
  const door = new Client(baseUrl, {});
  const { status, headers, body } = await door.send<SessionEnvelope>('POST', '/staff/v1/session', { name, password });
  await door.close();
  if (status !== 200) throw new Error(`${name} could not sign in: HTTP ${status}`);
  const [cookie = ''] = [headers['set-cookie'] ?? ''].flat();
  return { cookie: cookie.split(';')[0] ?? '', 'x-csrf-token': body.session['csrf-token'] };
}

/** Signs in and returns a client with the session of the staff member. */
export const signInStaff = async (baseUrl: string, member: SignIn): Promise<Client> =>
  new Client(baseUrl, await signIn(baseUrl, member));
