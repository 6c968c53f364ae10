import 'reflect-metadata';
import { GetStaffUser, SignInStaff } from '@ponte/contracts';
import type { GatewayUnderTest } from '../testing/gateway-under-test';
import { startGateway } from '../testing/gateway-under-test';
import { SESSION_ROUTES } from '../testing/staff-routes';
import { signIn, staffRequest } from '../testing/staff-browser';
import { STAFF, STAFF_PASSWORD } from '../testing/staff-members';
import { sessionIdOf } from './session-keys';
import { codeOf } from '../testing/use-gateway';
import { HOUR, MINUTE, SESSION, cookiesOf, valueOf } from './testing/starting';

describe('a staff session by name and password in the sandbox', () => {
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
      gateway.engines.readModels as never as {
        selectFrom(table: string): { selectAll(): { execute(): Promise<Record<string, unknown>[]> } };
      }
    )
      .selectFrom('gateway_staff_sessions')
      .selectAll()
      .execute();

  it('has a cookie that scripts cannot read and other sites cannot send, and nothing stored opens it', async () => {
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
    expect(JSON.stringify(gateway.bus.requests.at(-1)?.payload)).not.toContain(STAFF_PASSWORD);
  });

  it('has a Secure __Host- cookie on other hosts, where the plain cookie is not accepted', async () => {
    const host = 'staff.example.com';
    const [cookie = ''] = cookiesOf(await post(right('analyst'), { host }));
    expect(cookie).toMatch(/^__Host-ponte-staff=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
    expect((await who({ host, cookie: cookie.split(';')[0] ?? '' })).statusCode).toBe(200);
    expect(codeOf(await who({ host, cookie: `ponte-staff=${valueOf(cookie)}` }))).toBe('401 no-session');
    expect(codeOf(await who({ cookie: cookie.split(';')[0] ?? '' }))).toBe('401 no-session');
  });

  it('has a new id after each sign-in, which ends the previous session and ignores ids chosen by others', async () => {
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

  it('ends after 15 minutes without a request other than background refreshes, and its cookie is then deleted', async () => {
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

  it('ends after 10 hours, even when it is in use', async () => {
    const headers = await signIn(gateway, 'analyst');
    for (let at = 14 * MINUTE; at < 10 * HOUR; at += 14 * MINUTE) {
      gateway.clock.offset = at;
      expect((await who(headers)).statusCode).toBe(200);
    }
    gateway.clock.offset = 10 * HOUR;
    expect(codeOf(await who(headers))).toBe('401 no-session');
  });

  it('ends for every holder of the cookie at sign-out', async () => {
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

  it('ends at once when an operator ends it, and at the next request of a member who lost a role or was removed', async () => {
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

  it('is refused to other sites, and every wrong attempt gets the same response', async () => {
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

  it('cannot be started for a known or unknown name after 5 wrong passwords; correct passwords do not count', async () => {
    gateway.clock.offset = HOUR;
    for (let time = 0; time < 8; time += 1) expect((await post(right('approver'))).statusCode).toBe(200);
    for (const name of ['approver', 'unknown-at-all']) {
      const before = gateway.bus.requestsOf(SignInStaff).length;
      const tries = await Promise.all(Array.from({ length: 9 }, () => post({ name, password: 'wrong' })));
      expect(tries.map(codeOf).sort()).toEqual([
        ...Array<string>(5).fill('401 sign-in-refused'),
        ...Array<string>(4).fill('429 rate-limited'),
      ]);
      expect(gateway.bus.requestsOf(SignInStaff)).toHaveLength(before + 5);
      expect(Number(tries.find(({ statusCode }) => statusCode === 429)?.headers['retry-after'])).toBeGreaterThan(0);
    }
    expect(codeOf(await post(right('approver')))).toBe('429 rate-limited');
    expect(codeOf(await post({ name: 'APPROVER', password: 'wrong' }))).toBe('429 rate-limited');
    gateway.clock.offset += 31_000;
    expect((await post(right('approver'))).statusCode).toBe(200);
  });

  it('cannot be started from an address after 30 wrong passwords for any names', async () => {
    gateway.clock.offset = 2 * HOUR;
    const tries = await Promise.all(
      Array.from({ length: 33 }, (_, at) => post({ name: `name-${at}`, password: 'wrong' })),
    );
    expect(tries.filter(({ statusCode }) => statusCode === 401)).toHaveLength(30);
    const limited = tries.filter(({ statusCode }) => statusCode === 429).length;
    const series = 'ponte_gateway_authentications_limited_total{credentials="password"}';
    const counted = (await gateway.engines.metrics.registry.metrics())
      .split('\n')
      .find((one) => one.startsWith(series));
    expect(Number(counted?.slice(series.length))).toBeGreaterThanOrEqual(limited);
  });
});
