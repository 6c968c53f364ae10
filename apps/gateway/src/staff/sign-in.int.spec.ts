import 'reflect-metadata';
import type { LightMyRequestResponse } from 'fastify';
import { GetStaffUser, SignInStaff } from '@ponte/contracts';
import { staffDocument, startGateway } from '../testing/gateway-under-test';
import type { GatewayUnderTest } from '../testing/gateway-under-test';
import { SESSION_ROUTES, signIn, staffRequest } from '../testing/staff-routes';
import { STAFF, STAFF_PASSWORD } from '../testing/staff-fixtures';
import { sessionIdOf } from './session-keys';
import { codeOf } from '../testing/use-gateway';
import { TestProvider } from './testing/provider';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const cookiesOf = (answer: LightMyRequestResponse): string[] => [answer.headers['set-cookie'] ?? []].flat();
const valueOf = (cookie: string): string => /^[^=]+=([^;]*)/.exec(cookie)?.[1] ?? '';
const SESSION = '/staff/v1/session';

async function startWith(
  env: Record<string, string>,
  environment: 'sandbox' | 'production' = 'sandbox',
): Promise<GatewayUnderTest> {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  try {
    return await startGateway(environment);
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

describe('sign-in by name and password, in the sandbox', () => {
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());
  afterEach(() => {
    gateway.clock.offset = 0;
  });

  const post = (body: object, headers: Record<string, string> = {}) =>
    gateway.app.inject({
      method: 'POST',
      url: SESSION,
      headers: { 'content-type': 'application/json', ...headers },
      payload: JSON.stringify(body),
    });
  const right = (name: string) => ({ name, password: STAFF_PASSWORD });
  const who = (headers: Record<string, string>) => gateway.app.inject({ url: SESSION, headers });
  const rows = () =>
    (
      gateway.engines.views as never as {
        selectFrom(table: string): { selectAll(): { execute(): Promise<Record<string, unknown>[]> } };
      }
    )
      .selectFrom('gateway_staff_sessions')
      .selectAll()
      .execute();

  it('a session is a cookie that scripts cannot read and other sites cannot send; what is stored opens nothing', async () => {
    const answer = await post(right('analyst'));
    expect(answer.json()).toMatchObject({
      session: { name: 'analyst', roles: ['compliance-analyst'], way: 'local', 'staff-id': STAFF.analyst.staffId },
    });
    const [cookie = ''] = cookiesOf(answer);
    expect(cookie).toMatch(/^ponte-staff=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const secret = valueOf(cookie);
    const stored = JSON.stringify(await rows());
    expect(stored).toContain(sessionIdOf(secret));
    for (const clear of [
      secret,
      (answer.json() as { session: { 'csrf-token': string } }).session['csrf-token'],
      'analyst"',
      STAFF_PASSWORD,
    ])
      expect(stored).not.toContain(clear);
    expect(JSON.stringify(gateway.bus.asked.at(-1)?.payload)).not.toContain(STAFF_PASSWORD);
  });

  it('outside of this machine the cookie is Secure and __Host-; the plain one opens nothing there', async () => {
    const host = 'staff.example.com';
    const [cookie = ''] = cookiesOf(await post(right('analyst'), { host }));
    expect(cookie).toMatch(/^__Host-ponte-staff=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    expect((await who({ host, cookie: cookie.split(';')[0] ?? '' })).statusCode).toBe(200);
    expect(codeOf(await who({ host, cookie: `ponte-staff=${valueOf(cookie)}` }))).toBe('401 no-session');
    expect(codeOf(await who({ cookie: cookie.split(';')[0] ?? '' }))).toBe('401 no-session');
  });

  it('an id that someone else chose is never taken up, and the session that was there ends: each sign-in has a new id', async () => {
    const chosen = 'F'.repeat(43);
    const first = valueOf(cookiesOf(await post(right('analyst'), { cookie: `ponte-staff=${chosen}` }))[0] ?? '');
    expect(first).not.toBe(chosen);
    expect(codeOf(await who({ cookie: `ponte-staff=${chosen}` }))).toBe('401 no-session');
    const second = valueOf(cookiesOf(await post(right('auditor'), { cookie: `ponte-staff=${first}` }))[0] ?? '');
    expect(new Set([first, second, chosen]).size).toBe(3);
    expect(codeOf(await who({ cookie: `ponte-staff=${first}` }))).toBe('401 no-session');
    expect((await who({ cookie: `ponte-staff=${second}` })).json()).toMatchObject({ session: { name: 'auditor' } });
    expect(codeOf(await who({ cookie: `ponte-staff=${second}; ponte-staff=${first}` }))).toBe('401 no-session');
  });

  it('15 minutes without a request end it, and what refreshes itself is no request; a cookie that opens nothing is taken away', async () => {
    const headers = await signIn(gateway, 'analyst');
    gateway.clock.offset = 14 * MINUTE;
    const used = await who(headers);
    gateway.clock.offset = 28 * MINUTE;
    expect((await who({ ...headers, 'x-background': 'true' })).json()).toMatchObject({
      session: { 'idle-expires-at': (used.json() as { session: Record<string, string> }).session['idle-expires-at'] },
    });
    gateway.clock.offset = 30 * MINUTE;
    const ended = await who(headers);
    expect([codeOf(ended), cookiesOf(ended)]).toEqual([
      '401 no-session',
      ['ponte-staff=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0'],
    ]);
    gateway.clock.offset = 0;
    expect(codeOf(await who(headers))).toBe('401 no-session');
  });

  it('10 hours end it, however much it is used', async () => {
    const headers = await signIn(gateway, 'analyst');
    for (let at = 14 * MINUTE; at < 10 * HOUR; at += 14 * MINUTE) {
      gateway.clock.offset = at;
      expect((await who(headers)).statusCode).toBe(200);
    }
    gateway.clock.offset = 10 * HOUR;
    expect(codeOf(await who(headers))).toBe('401 no-session');
  });

  it('signing out ends it for everybody who has the cookie', async () => {
    const headers = await signIn(gateway, 'analyst');
    expect(
      codeOf(await gateway.app.inject({ method: 'DELETE', url: SESSION, headers: { cookie: headers.cookie } })),
    ).toBe('403 csrf-token-mismatch');
    const out = await gateway.app.inject(staffRequest(SESSION_ROUTES['staff-sign-out'], headers));
    expect([out.statusCode, out.body, cookiesOf(out)]).toEqual([
      204,
      '',
      ['ponte-staff=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0'],
    ]);
    expect(codeOf(await who(headers))).toBe('401 no-session');
  });

  it('an operator ends the sessions of someone at once; a person who lost a role, or was removed, is signed out with the next request', async () => {
    const [analyst, again, operator] = [
      await signIn(gateway, 'analyst'),
      await signIn(gateway, 'analyst'),
      await signIn(gateway, 'operator'),
    ];
    const end = (staffId: string) =>
      gateway.app.inject({ method: 'POST', url: `/staff/v1/staff/${staffId}/end-sessions`, headers: operator });
    expect((await end(STAFF.analyst.staffId)).json()).toEqual({ ended: expect.any(Number) as number });
    for (const headers of [analyst, again]) expect(codeOf(await who(headers))).toBe('401 no-session');
    const [auditor, approver] = [await signIn(gateway, 'auditor'), await signIn(gateway, 'approver')];
    gateway.bus.on(GetStaffUser, ({ staffId }) =>
      staffId === STAFF.auditor.staffId ? { ...STAFF.auditor, roles: ['operator'] as const } : null,
    );
    for (const headers of [auditor, approver]) expect(codeOf(await who(headers))).toBe('401 no-session');
    gateway.bus.on(GetStaffUser, ({ staffId }) => Object.values(STAFF).find((one) => one.staffId === staffId) ?? null);
    for (const headers of [auditor, approver]) expect(codeOf(await who(headers))).toBe('401 no-session');
  });

  it('no other site signs a browser in, and the answer to every wrong try is the same', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
      expect(codeOf(await post(right('auditor'), headers as never))).toBe('403 cross-origin-request');
    const wrong = await Promise.all(
      [
        { name: 'auditor', password: 'wrong' },
        { name: 'unknown', password: STAFF_PASSWORD },
      ].map((body) => post(body)),
    );
    expect(wrong.map(codeOf)).toEqual(['401 sign-in-refused', '401 sign-in-refused']);
    expect(new Set(wrong.map(({ body }) => body)).size).toBe(1);
    expect(wrong.flatMap(cookiesOf)).toEqual([]);
    expect((await post({ name: 'auditor' })).statusCode).toBe(400);
    expect(
      codeOf(
        await gateway.app.inject({
          method: 'POST',
          url: SESSION,
          headers: { 'content-type': 'text/plain' },
          payload: '{}',
        }),
      ),
    ).toBe('415 unsupported-media-type');
  });

  it('after 5 wrong passwords a name has to wait, from any address and whether it exists or not; right passwords do not count', async () => {
    gateway.clock.offset = HOUR;
    for (let time = 0; time < 8; time += 1) expect((await post(right('approver'))).statusCode).toBe(200);
    for (const name of ['approver', 'unknown-at-all']) {
      const before = gateway.bus.askedOf(SignInStaff).length;
      const tries = await Promise.all(Array.from({ length: 9 }, () => post({ name, password: 'wrong' })));
      expect(tries.map(codeOf).sort()).toEqual([
        ...Array<string>(5).fill('401 sign-in-refused'),
        ...Array<string>(4).fill('429 rate-limited'),
      ]);
      expect(gateway.bus.askedOf(SignInStaff)).toHaveLength(before + 5);
      expect(Number(tries.find(({ statusCode }) => statusCode === 429)?.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(codeOf(await post(right('approver')))).toBe('429 rate-limited');
    gateway.clock.offset += 31_000;
    expect((await post(right('approver'))).statusCode).toBe(200);
  });

  it('after 30 wrong ones an address waits, whatever the names', async () => {
    gateway.clock.offset = 2 * HOUR;
    const tries = await Promise.all(
      Array.from({ length: 33 }, (_, at) => post({ name: `name-${at}`, password: 'wrong' })),
    );
    expect(tries.filter(({ statusCode }) => statusCode === 401)).toHaveLength(30);
  });
});

describe('in production', () => {
  it('password sign-in has no route, and a session from a password sign-in is not accepted', async () => {
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
      expect(gateway.bus.askedOf(SignInStaff)).toEqual([]);
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
  ])('it does not start with %j', async (env, name) => {
    await expect(startWith(env as unknown as Record<string, string>, 'production')).rejects.toThrow(name);
  });
});

describe('sign-in with an OpenID provider', () => {
  const ORIGIN = 'http://localhost:8080';
  const CALLBACK = `${ORIGIN}${SESSION}/oidc/callback`;
  const ANA = { account: 'ana', claims: { name: 'Ana Canary', realm_access: { roles: ['kyc-1', 'kyc-2', 'guest'] } } };
  let provider: TestProvider;
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    provider = await TestProvider.start(CALLBACK);
    gateway = await startWith({
      STAFF_PUBLIC_URL: ORIGIN,
      STAFF_OIDC_ISSUER: provider.issuer,
      STAFF_OIDC_CLIENT_ID: 'ponte-staff',
      STAFF_OIDC_CLIENT_SECRET: 'a-secret-of-the-client',
      STAFF_OIDC_NAME: 'Test SSO',
      STAFF_OIDC_ROLES_CLAIM: 'realm_access.roles',
      STAFF_OIDC_ROLES: 'kyc-1=compliance-analyst, kyc-2=compliance-approver',
      STAFF_LOCAL_SIGN_IN: 'off',
    });
  });
  afterAll(async () => {
    await gateway.stop();
    await provider.stop();
  });
  afterEach(() => {
    gateway.clock.offset = 0;
  });

  const begin = async (query = '') => {
    const answer = await gateway.app.inject({ url: `${SESSION}/oidc${query}`, headers: { accept: 'text/html' } });
    const [pending = ''] = cookiesOf(answer);
    return { answer, location: String(answer.headers.location), pending, cookie: pending.split(';')[0] ?? '' };
  };
  const back = (url: string, cookie: string, accept = 'text/html,*/*;q=0.8') =>
    gateway.app.inject({ url: url.slice(ORIGIN.length), headers: { accept, cookie, 'sec-fetch-site': 'cross-site' } });
  const changed = (url: string, change: (parameters: URLSearchParams) => void) => {
    const altered = new URL(url);
    change(altered.searchParams);
    return altered.href;
  };
  const sessionIn = (answer: LightMyRequestResponse) => cookiesOf(answer).find((one) => one.startsWith('ponte-staff='));
  const whole = async (next: Parameters<TestProvider['next']>[0], query = '') => {
    await provider.next(next);
    const { location, cookie } = await begin(query);
    return back(await provider.visit(location, CALLBACK), cookie);
  };
  const refused = (answer: LightMyRequestResponse) => [
    answer.statusCode,
    sessionIn(answer),
    answer.body.includes('Not signed in'),
  ];
  const REFUSED = [401, undefined, true];

  it('tells that it is there, and that passwords are not', async () => {
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

  it('sends the browser out with state, nonce and a challenge, and keeps what it needs sealed in a Lax cookie', async () => {
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

  it('signs in whom the provider vouches for, with the roles that its words mean here, and goes on by a page of its own', async () => {
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
        gateway.engines.views as never as {
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
  ])('never goes on to %s', async (target) => {
    expect((await whole(ANA, `?return-to=${encodeURIComponent(target)}`)).body).toContain('url=/console/"');
  });

  it('refuses a wrong state, a state of another browser, and none', async () => {
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
    expect(codeOf(await back(url, '', 'application/json'))).toBe('401 sign-in-refused');
    expect((await back(url, mine.cookie)).statusCode).toBe(200);
  });

  it('refuses a wrong nonce, another issuer, and a code that was used', async () => {
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

  it('refuses a code whose challenge is of another verifier', async () => {
    await provider.next(ANA);
    const mine = await begin();
    const url = await provider.visit(
      changed(mine.location, (one) => one.set('code_challenge', 'c'.repeat(43))),
      CALLBACK,
    );
    expect(refused(await back(url, mine.cookie))).toEqual(REFUSED);
  });

  it('refuses a token that has expired, and a sign-in that took more than ten minutes', async () => {
    expect(refused(await whole({ ...ANA, idTokenSeconds: -60 }))).toEqual(REFUSED);
    await provider.next(ANA);
    const slow = await begin();
    const url = await provider.visit(slow.location, CALLBACK);
    gateway.clock.offset = 10 * MINUTE;
    expect(refused(await back(url, slow.cookie))).toEqual(REFUSED);
  });

  it('refuses whom the provider refuses', async () => {
    expect(refused(await whole({ account: 'denied' }))).toEqual(REFUSED);
  });

  it('lets no one in without a role; losing it, or getting another one, ends the sessions that are there', async () => {
    const again = async () => (sessionIn(await whole(ANA)) ?? '').split(';')[0] ?? '';
    const alive = async (cookie: string) =>
      (await gateway.app.inject({ url: SESSION, headers: { cookie } })).statusCode === 200;
    const first = await again();
    expect(await alive(first)).toBe(true);
    const none = await whole({ ...ANA, claims: { name: 'Ana', realm_access: { roles: ['guest'] } } });
    expect([none.statusCode, sessionIn(none), none.body.includes('no role')]).toEqual([403, undefined, true]);
    expect(await alive(first)).toBe(false);
    expect((await whole({ account: 'unknown', claims: {} })).statusCode).toBe(403);
    const second = await again();
    const less =
      (sessionIn(await whole({ ...ANA, claims: { name: 'Ana', realm_access: { roles: 'kyc-1' } } })) ?? '').split(
        ';',
      )[0] ?? '';
    expect([await alive(second), await alive(less)]).toEqual([false, true]);
  });

  it('says so when the provider is away, and finds it again when it is back', async () => {
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
