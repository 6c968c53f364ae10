import 'reflect-metadata';
import { SignInStaff } from '@ponte/contracts';
import { staffDocument, startGateway } from '../testing/gateway-under-test';
import { STAFF_PASSWORD } from '../testing/staff-members';
import { codeOf } from '../testing/use-gateway';
import { SESSION, startWith } from './testing/starting';

describe('in production', () => {
  it('password sign-in has no route, and sessions from a password sign-in are not accepted', async () => {
    const gateway = await startGateway('production');
    try {
      expect((await gateway.app.inject({ url: `${SESSION}/ways` })).json()).toEqual({ local: false, oidc: null });
      const tried = await gateway.app.inject({
        method: 'POST',
        url: SESSION,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ name: 'analyst', password: STAFF_PASSWORD }),
      });
      expect(codeOf(tried)).toBe('405 method-not-allowed');
      expect(gateway.bus.requestsOf(SignInStaff)).toEqual([]);
      expect(JSON.stringify(staffDocument(gateway))).not.toContain('"staff-sign-in"');
      for (const path of ['/oidc', '/oidc/callback?code=x&state=y'])
        expect(codeOf(await gateway.app.inject({ url: SESSION + path }))).toBe('404 route-not-found');
    } finally {
      await gateway.stop();
    }
  });

  it.each([
    [{ STAFF_LOCAL_SIGN_IN: 'on' }, 'STAFF_LOCAL_SIGN_IN'],
    [{ STAFF_OIDC_ISSUER: 'https://id.example.com', STAFF_OIDC_CLIENT_ID: 'x' }, 'STAFF_PUBLIC_URL'],
  ])('the gateway does not start with %j', async (env, name) => {
    await expect(startWith(env as unknown as Record<string, string>, 'production')).rejects.toThrow(name);
  });
});
