import 'reflect-metadata';
import { codeOf } from '../../testing/use-gateway';
import {
  ANA,
  CALLBACK,
  REFUSED,
  back,
  begin,
  changed,
  gateway,
  provider,
  refused,
  sessionIn,
  whole,
  useOidcSignIn,
} from '../testing/oidc-sign-in';
import { MINUTE, SESSION, startWith } from '../testing/starting';

useOidcSignIn();

describe('sign-in with an OpenID provider that responds wrongly', () => {
  it('refuses a wrong state, a state of another browser and a missing state', async () => {
    await provider.next(ANA);
    const [mine, other] = [await begin(), await begin()];
    const url = await provider.visit(mine.location, CALLBACK);
    expect(
      refused(
        await back(
          changed(url, (one) => one.set('state', 'another')),
          mine.cookie,
        ),
      ),
    ).toEqual(REFUSED);
    expect(
      refused(
        await back(
          changed(url, (one) => one.delete('state')),
          mine.cookie,
        ),
      ),
    ).toEqual(REFUSED);
    expect(refused(await back(url, other.cookie))).toEqual(REFUSED);
    expect(refused(await back(url, ''))).toEqual(REFUSED);
    expect(refused(await back(url, 'ponte-staff-sign-in=forged'))).toEqual(REFUSED);
    expect(codeOf(await back(url, '', '*/*'))).toBe('401 sign-in-refused');
    expect((await back(url, mine.cookie)).statusCode).toBe(200);
  });

  it('refuses a wrong nonce, another issuer and a used code', async () => {
    await provider.next(ANA);
    const altered = await begin();
    expect(
      refused(
        await back(
          await provider.visit(
            changed(altered.location, (one) => one.set('nonce', 'n'.repeat(43))),
            CALLBACK,
          ),
          altered.cookie,
        ),
      ),
    ).toEqual(REFUSED);
    const mixed = await begin();
    expect(
      refused(
        await back(
          changed(await provider.visit(mixed.location, CALLBACK), (one) => one.set('iss', 'https://evil.example')),
          mixed.cookie,
        ),
      ),
    ).toEqual(REFUSED);
    const used = await begin();
    const url = await provider.visit(used.location, CALLBACK);
    expect((await back(url, used.cookie)).statusCode).toBe(200);
    expect(refused(await back(url, used.cookie))).toEqual(REFUSED);
  });

  it('refuses a code whose challenge belongs to another verifier', async () => {
    await provider.next(ANA);
    const mine = await begin();
    const url = await provider.visit(
      changed(mine.location, (one) => one.set('code_challenge', 'c'.repeat(43))),
      CALLBACK,
    );
    expect(refused(await back(url, mine.cookie))).toEqual(REFUSED);
  });

  it('refuses an expired token and a sign-in that took more than ten minutes', async () => {
    expect(refused(await whole({ ...ANA, idTokenSeconds: -60 }))).toEqual(REFUSED);
    await provider.next(ANA);
    const slow = await begin();
    const url = await provider.visit(slow.location, CALLBACK);
    gateway.clock.offset = 10 * MINUTE;
    expect(refused(await back(url, slow.cookie))).toEqual(REFUSED);
  });

  it('refuses a person whom the provider refuses', async () => {
    expect(refused(await whole({ account: 'denied' }))).toEqual(REFUSED);
  });

  it('refuses a person without a role, and ends existing sessions when the roles change', async () => {
    const again = async () => (sessionIn(await whole(ANA)) ?? '').split(';')[0] ?? '';
    const alive = async (cookie: string) =>
      (await gateway.app.inject({ url: SESSION, headers: { cookie } })).statusCode === 200;
    const first = await again();
    expect(await alive(first)).toBe(true);
    const none = await whole({ ...ANA, claims: { name: 'Ana', realm_access: { roles: ['guest'] } } });
    expect([none.statusCode, sessionIn(none), none.body.includes('no staff role')]).toEqual([403, undefined, true]);
    expect(await alive(first)).toBe(false);
    expect((await whole({ account: 'unknown', claims: {} })).statusCode).toBe(403);
    const second = await again();
    const less =
      (sessionIn(await whole({ ...ANA, claims: { name: 'Ana', realm_access: { roles: 'kyc-1' } } })) ?? '').split(
        ';',
      )[0] ?? '';
    expect([await alive(second), await alive(less)]).toEqual([false, true]);
  });

  it('reports that the provider is not responding', async () => {
    const away = await startWith({ STAFF_OIDC_ISSUER: 'http://127.0.0.1:1', STAFF_OIDC_CLIENT_ID: 'ponte-staff' });
    try {
      expect(codeOf(await away.app.inject({ url: `${SESSION}/oidc` }))).toBe('503 service-unavailable');
      expect((await away.app.inject({ url: `${SESSION}/oidc`, headers: { accept: 'text/html' } })).body).toContain(
        'Not signed in',
      );
    } finally {
      await away.stop();
    }
  });
});
