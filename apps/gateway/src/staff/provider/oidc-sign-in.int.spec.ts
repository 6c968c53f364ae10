import 'reflect-metadata';
import { codeOf } from '../../testing/use-gateway';
import { ANA, CALLBACK, begin, gateway, sessionIn, whole, useOidcSignIn } from '../testing/oidc-sign-in';
import { SESSION, cookiesOf, valueOf } from '../testing/starting';

useOidcSignIn();

describe('sign-in with an OpenID provider', () => {
  it('is listed as the only way to sign in', async () => {
    expect((await gateway.app.inject({ url: `${SESSION}/ways` })).json()).toEqual({
      local: false,
      oidc: { name: 'Test SSO', href: `${SESSION}/oidc` },
    });
    expect(
      codeOf(
        await gateway.app.inject({
          method: 'POST',
          url: SESSION,
          headers: { 'content-type': 'application/json' },
          payload: '{"name":"a","password":"b"}',
        }),
      ),
    ).toBe('404 route-not-found');
  });

  it('redirects the browser with state, nonce and challenge, and keeps its own state sealed in a Lax cookie', async () => {
    const { answer, location, pending } = await begin();
    const sent = new URL(location).searchParams;
    expect(answer.statusCode).toBe(302);
    expect(Object.fromEntries(sent)).toMatchObject({
      response_type: 'code',
      client_id: 'ponte-staff',
      redirect_uri: CALLBACK,
      scope: 'openid profile',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(sent.get(name)?.length).toBeGreaterThan(20);
    expect(pending).toMatch(/^ponte-staff-sign-in=[A-Za-z0-9_-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    expect(Buffer.from(valueOf(pending), 'base64url').toString()).not.toContain(sent.get('nonce'));
  });

  it('signs in a person whom the provider confirms, with the mapped roles, and continues with a page of its own', async () => {
    const answer = await whole(ANA, '?return-to=/console/cases/1');
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
    expect(answer.body).toContain('url=/console/cases/1"');
    const cookie = sessionIn(answer) ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(cookiesOf(answer)).toContainEqual(expect.stringMatching(/^ponte-staff-sign-in=;.*Max-Age=0/));
    const shown = (
      await gateway.app.inject({ url: SESSION, headers: { cookie: cookie.split(';')[0] ?? '' } })
    ).json() as { session: Record<string, unknown> };
    expect(shown.session).toMatchObject({
      name: 'Ana Canary',
      roles: ['compliance-analyst', 'compliance-approver'],
      way: 'oidc',
    });
    const stored = JSON.stringify(
      await (
        gateway.engines.readModels as never as {
          selectFrom(table: string): { selectAll(): { execute(): Promise<unknown[]> } };
        }
      )
        .selectFrom('gateway_staff_members')
        .selectAll()
        .execute(),
    );
    expect(stored).not.toContain('Canary');
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/console/../staff',
    '/console//evil.example',
    '/console/?x="><script>',
    '/other',
  ])('never continues to %s', async (target) => {
    expect((await whole(ANA, `?return-to=${encodeURIComponent(target)}`)).body).toContain('url=/console/"');
  });
});
