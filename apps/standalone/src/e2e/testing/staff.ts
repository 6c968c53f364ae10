import { Client } from './client';

interface SignIn {
  readonly name: string;
  readonly password: string;
}
interface SessionEnvelope {
  readonly session: { readonly 'csrf-token': string; readonly 'staff-id': string };
}

/** The headers of a session: its cookie, and the token that every write carries. */
export async function signIn(baseUrl: string, { name, password }: SignIn): Promise<Record<string, string>> {
  const door = new Client(baseUrl, {});
  const { status, headers, body } = await door.send<SessionEnvelope>('POST', '/staff/v1/session', { name, password });
  await door.close();
  if (status !== 200) throw new Error(`${name} is not signed in: HTTP ${status}`);
  const [cookie = ''] = [headers['set-cookie'] ?? ''].flat();
  return { cookie: cookie.split(';')[0] ?? '', 'x-csrf-token': body.session['csrf-token'] };
}

/** Someone of the staff who has signed in, as far as the wire. */
export const signInStaff = async (baseUrl: string, member: SignIn): Promise<Client> =>
  new Client(baseUrl, await signIn(baseUrl, member));
