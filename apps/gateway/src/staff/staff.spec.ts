import { Metrics } from '@ponte/observability';
import { readStaffSettings, STAFF_VARIABLES } from '../staff.config';
import { SignInAttempts } from './attempts.service';
import { memberOf, staffIdOf } from './provider/claims';
import { cookie, noCookie, PENDING_COOKIE, readCookie, SESSION_COOKIE } from './cookies';
import { returnPath } from './pending';
import { csrfTokenOf, isCsrfToken, isSessionSecret, sessionIdOf } from './session-keys';

const OIDC = { STAFF_OIDC_ISSUER: 'https://id.example.com/realms/ponte', STAFF_OIDC_CLIENT_ID: 'ponte' };
const PUBLIC = { STAFF_PUBLIC_URL: 'https://staff.example.com' };

describe('the staff settings', () => {
  it('allow passwords in the sandbox, and in production only a configured provider', () => {
    expect(readStaffSettings({}, 'sandbox')).toEqual({
      publicOrigin: null,
      plainLoopback: true,
      localSignIn: true,
      oidc: null,
      idleMs: 900_000,
      absoluteMs: 36_000_000,
    });
    expect(readStaffSettings({ STAFF_LOCAL_SIGN_IN: 'off' }, 'sandbox').localSignIn).toBe(false);
    expect(readStaffSettings({}, 'production')).toMatchObject({ localSignIn: false, plainLoopback: false, oidc: null });
    expect(readStaffSettings({ ...PUBLIC, ...OIDC }, 'production')).toMatchObject({
      publicOrigin: 'https://staff.example.com',
      oidc: {
        clientId: 'ponte',
        clientSecret: null,
        name: 'id.example.com',
        scopes: 'openid profile',
        rolesClaim: ['roles'],
      },
    });
  });

  it.each([
    ['production', { STAFF_LOCAL_SIGN_IN: 'on' }, 'STAFF_LOCAL_SIGN_IN'],
    ['sandbox', { STAFF_LOCAL_SIGN_IN: 'yes' }, 'STAFF_LOCAL_SIGN_IN'],
    ['production', OIDC, 'STAFF_PUBLIC_URL'],
    ['production', { STAFF_PUBLIC_URL: 'http://localhost:3000' }, 'STAFF_PUBLIC_URL'],
    ['sandbox', { STAFF_PUBLIC_URL: 'http://staff.example.com' }, 'STAFF_PUBLIC_URL'],
    ['sandbox', { STAFF_PUBLIC_URL: 'https://staff.example.com/console' }, 'STAFF_PUBLIC_URL'],
    ['sandbox', { STAFF_PUBLIC_URL: 'staff' }, 'STAFF_PUBLIC_URL'],
    ['sandbox', { ...OIDC, STAFF_OIDC_ISSUER: 'http://id.example.com' }, 'STAFF_OIDC_ISSUER'],
    ['sandbox', { STAFF_OIDC_ISSUER: OIDC.STAFF_OIDC_ISSUER }, 'STAFF_OIDC_CLIENT_ID'],
    ['sandbox', { ...OIDC, STAFF_OIDC_SCOPES: 'profile' }, 'STAFF_OIDC_SCOPES'],
    ['sandbox', { ...OIDC, STAFF_OIDC_ROLES: 'admins=root' }, 'STAFF_OIDC_ROLES'],
    ['sandbox', { ...OIDC, STAFF_OIDC_ROLES: 'auditor' }, 'STAFF_OIDC_ROLES'],
    ['sandbox', { STAFF_SESSION_HOURS: '13' }, 'STAFF_SESSION_HOURS'],
    ['sandbox', { STAFF_SESSION_IDLE_MINUTES: '0' }, 'STAFF_SESSION_IDLE_MINUTES'],
    ['sandbox', { STAFF_SESSION_IDLE_MINUTES: '1.5' }, 'STAFF_SESSION_IDLE_MINUTES'],
  ] as const)('in %s refuse %j and name the invalid variable', (environment, env, name) => {
    expect(() => readStaffSettings(env, environment)).toThrow(name);
    expect(STAFF_VARIABLES.map((one) => one.name)).toContain(name);
  });
});

describe('the claims of a provider', () => {
  const settings = readStaffSettings(
    {
      ...OIDC,
      STAFF_OIDC_ROLES: 'a=auditor, both=compliance-analyst, both=compliance-approver, urn:x=y=operator',
      STAFF_OIDC_ROLES_CLAIM: 'realm.roles',
    },
    'sandbox',
  );
  const oidc = settings.oidc as NonNullable<typeof settings.oidc>;
  const rolesOf = (claims: Record<string, unknown>) =>
    memberOf({ issuer: 'i', subject: 's', claims, refreshToken: null }, oidc).roles;

  it.each([
    [{ realm: { roles: ['both', 'unknown', 7] } }, ['compliance-analyst', 'compliance-approver']],
    [{ realm: { roles: 'a both' } }, ['compliance-analyst', 'compliance-approver', 'auditor']],
    [{ 'realm.roles': ['urn:x=y'] }, ['operator']],
    [{ realm: { roles: { a: true } } }, []],
    [{ realm: 'a' }, []],
    [{ realm: null }, []],
    [{ roles: ['a'] }, []],
    [{}, []],
  ])('map %j to the roles %j', (claims, roles) => {
    expect(rolesOf(claims)).toEqual(roles);
  });

  it('identify a person by issuer and subject only, and names are shown without control characters', () => {
    expect(staffIdOf({ issuer: 'i', subject: 's' })).toBe(staffIdOf({ issuer: 'i', subject: 's' }));
    expect(
      new Set(
        [
          ['i', 's'],
          ['i', 't'],
          ['j', 's'],
          ['is', ''],
        ].map(([issuer = '', subject = '']) => staffIdOf({ issuer, subject })),
      ).size,
    ).toBe(4);
    const nameOf = (claims: Record<string, unknown>) =>
      memberOf({ issuer: 'i', subject: 'sub-1', claims, refreshToken: null }, oidc).name;
    expect([
      nameOf({ name: ' Ana\u202e\n Lima ' }),
      nameOf({ name: '', preferred_username: 'ana' }),
      nameOf({ name: 7 }),
      nameOf({ name: 'x'.repeat(500) }).length,
    ]).toEqual(['Ana Lima', 'ana', 'sub-1', 100]);
  });
});

describe('the helpers of sign-in', () => {
  const request = (text?: string) => ({ headers: { cookie: text } }) as never;

  it('ignore a cookie that is sent twice or under the other name', () => {
    expect(readCookie(request('a=1; ponte-staff=x; b=2'), SESSION_COOKIE, false)).toBe('x');
    expect(readCookie(request('__Host-ponte-staff=x'), SESSION_COOKIE, true)).toBe('x');
    for (const text of [undefined, '', 'ponte-staff-sign-in=x', 'xponte-staff=x', 'ponte-staff=a; ponte-staff=b'])
      expect(readCookie(request(text), SESSION_COOKIE, false)).toBeUndefined();
    expect(readCookie(request('ponte-staff=x'), SESSION_COOKIE, true)).toBeUndefined();
  });

  it('bind a Secure cookie to this host and all its paths', () => {
    expect(cookie(SESSION_COOKIE, 'v', true)).toBe('__Host-ponte-staff=v; Path=/; HttpOnly; SameSite=Strict; Secure');
    expect(cookie(PENDING_COOKIE, 'v', true, 600)).toBe(
      '__Host-ponte-staff-sign-in=v; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=600',
    );
    expect(noCookie(SESSION_COOKIE, false)).toBe('ponte-staff=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0');
  });

  it('derive id and token so that none of id, token and secret reveals another', () => {
    const secret = 'A'.repeat(43);
    expect(isSessionSecret(secret)).toBe(true);
    for (const text of [undefined, '', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`])
      expect(isSessionSecret(text)).toBe(false);
    expect(new Set([secret, sessionIdOf(secret), csrfTokenOf(secret)]).size).toBe(3);
    expect(isCsrfToken(csrfTokenOf(secret), secret)).toBe(true);
    for (const text of [undefined, '', secret, sessionIdOf(secret), csrfTokenOf('B'.repeat(43)), [csrfTokenOf(secret)]])
      expect(isCsrfToken(text, secret)).toBe(false);
  });

  it.each([
    [undefined, '/console/'],
    ['/console/cases/1?tab=history', '/console/cases/1?tab=history'],
    ['/console/', '/console/'],
    ['/console', '/console/'],
    ['/console/\\evil', '/console/'],
    ['/console/%2e%2e/x', '/console/'],
    ['/console/?next=//evil', '/console/'],
    ['javascript:alert(1)', '/console/'],
  ])('turn the return path %s into %s', (wanted, path) => {
    expect(returnPath(wanted)).toBe(path);
  });
});

function isRefused(attempt: () => void): boolean {
  try {
    attempt();
    return false;
  } catch {
    return true;
  }
}

describe('attempts to sign in', () => {
  it('become available one at a time, and a successful attempt does not count', () => {
    let now = 0;
    const attempts = new SignInAttempts({ now: () => now }, new Metrics());
    const take = () => (isRefused(() => attempts.take('a', '::1')) ? 'wait' : 'ok');
    expect(Array.from({ length: 6 }, take)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'wait']);
    now = 29_999;
    expect(take()).toBe('wait');
    now = 30_000;
    expect([take(), take()]).toEqual(['ok', 'wait']);
    attempts.giveBack('a', '::1');
    expect([take(), take()]).toEqual(['ok', 'wait']);
    now = 10 * 60_000;
    expect(Array.from({ length: 6 }, take)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'wait']);
  });

  it('count for the whole network of an IPv6 address, whose owner can use any address in it', () => {
    const attempts = new SignInAttempts({ now: () => 0 }, new Metrics());
    const tried = (at: number, address: string) =>
      isRefused(() => attempts.take(`name-${at}`, address)) ? 'wait' : 'ok';
    for (let at = 0; at < 30; at += 1) expect(tried(at, `2001:db8:0:1::${at.toString(16)}`)).toBe('ok');
    expect(tried(30, '2001:db8:0:1:ffff::9')).toBe('wait');
    expect(tried(31, '2001:db8:0:2::1')).toBe('ok');
    attempts.giveBack('name-0', '2001:db8:0:1:ffff::1');
    expect(tried(32, '2001:db8:0:1::1')).toBe('ok');
  });

  it('that are refused do not make it forget others', () => {
    const attempts = new SignInAttempts({ now: () => 0 }, new Metrics());
    const take = (name: string, address: string) => () => attempts.take(name, address);
    for (let at = 0; at < 5; at += 1) attempts.take('victim', '192.0.2.1');
    for (let at = 0; at < 30; at += 1) attempts.take(`name-${at}`, '192.0.2.2');
    const invented = Array.from({ length: 10_001 }, (_, at) => take(`invented-${at}`, '192.0.2.2'));
    expect(invented.filter((attempt) => !isRefused(attempt))).toEqual([]);
    expect(take('victim', '192.0.2.3')).toThrow('Too many attempts');
  });
});
