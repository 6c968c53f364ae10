import type { InjectOptions } from 'fastify';
import type { GatewayUnderTest } from './gateway-under-test';
import type { STAFF } from './staff-members';
import { STAFF_PASSWORD } from './staff-members';
import type { StaffRoute } from './staff-route';

export const staffRequest = (
  { method, url, body }: StaffRoute,
  headers: Record<string, string> = {},
): InjectOptions => ({
  method,
  url,
  headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
  ...(body ? { payload: JSON.stringify(body) } : {}),
});

/** The headers that a signed-in browser sends with a write. */
export interface SignedInBrowser {
  readonly cookie: string;
  readonly 'x-csrf-token': string;
  readonly [header: string]: string;
}

export async function signIn(
  { app }: Pick<GatewayUnderTest, 'app'>,
  name: keyof typeof STAFF,
  headers: Record<string, string> = {},
): Promise<SignedInBrowser> {
  const answer = await app.inject({
    method: 'POST',
    url: '/staff/v1/session',
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify({ name, password: STAFF_PASSWORD }),
  });
  if (answer.statusCode !== 200) throw new Error(`not signed in: ${answer.body}`);
  const [cookie = ''] = [answer.headers['set-cookie']].flat();
  return {
    cookie: cookie.split(';')[0] ?? '',
    'x-csrf-token': (answer.json() as { session: { 'csrf-token': string } }).session['csrf-token'],
  };
}
