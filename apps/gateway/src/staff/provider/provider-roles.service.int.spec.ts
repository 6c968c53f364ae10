import 'reflect-metadata';
import { ANA, gateway, provider, sessionIn, useOidcSignIn, whole } from '../testing/oidc-sign-in';
import { MINUTE, SESSION } from '../testing/starting';

useOidcSignIn();

const WITH_TOKENS = { ...ANA, refreshTokens: true };
const FEWER_ROLES = { name: 'Ana Canary', realm_access: { roles: ['kyc-1'] } };

const signedIn = async (next: Parameters<typeof whole>[0]): Promise<string> =>
  (sessionIn(await whole(next)) ?? '').split(';')[0] ?? '';

/** The status of a request with the session, some minutes after the sign-in. */
const statusAt = async (minutes: number, cookie: string): Promise<number> => {
  gateway.clock.offset = minutes * MINUTE;
  return (await gateway.app.inject({ url: SESSION, headers: { cookie } })).statusCode;
};

describe('the roles of a person who signed in with a provider', () => {
  it('stay until the session ends when the provider gives no refresh token', async () => {
    const cookie = await signedIn(ANA);
    await provider.next({ ...ANA, claims: FEWER_ROLES });
    expect([await statusAt(12, cookie), await statusAt(24, cookie)]).toEqual([200, 200]);
  });

  it('are confirmed every ten minutes, each time with the refresh token of the time before', async () => {
    const cookie = await signedIn(WITH_TOKENS);
    const before = await provider.tokenRequests();
    const statuses = [];
    for (const minutes of [9, 10, 19, 20, 29, 30]) statuses.push(await statusAt(minutes, cookie));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200]);
    expect((await provider.tokenRequests()) - before).toBe(3);
  });

  it('are asked for once when several requests arrive together', async () => {
    const cookie = await signedIn(WITH_TOKENS);
    const before = await provider.tokenRequests();
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusAt(11, cookie)));
    expect(statuses).toEqual(Array(8).fill(200));
    expect((await provider.tokenRequests()) - before).toBe(1);
    expect(await statusAt(22, cookie)).toBe(200);
  });

  it('end all sessions of the person when they have changed at the provider', async () => {
    const [first, second] = [await signedIn(WITH_TOKENS), await signedIn(WITH_TOKENS)];
    const other = await signedIn({ ...WITH_TOKENS, account: 'bea' });
    await provider.next({ ...WITH_TOKENS, claims: FEWER_ROLES });
    expect([await statusAt(9, first), await statusAt(9, second), await statusAt(9, other)]).toEqual([200, 200, 200]);
    expect(await statusAt(10, first)).toBe(401);
    await provider.next(WITH_TOKENS);
    expect([await statusAt(10, second), await statusAt(10, other)]).toEqual([401, 200]);
  });

  it('end the session of a person whom the provider no longer knows', async () => {
    const cookie = await signedIn({ ...WITH_TOKENS, account: 'eve' });
    await provider.next({ ...WITH_TOKENS, disabled: 'eve' });
    expect([await statusAt(10, cookie), await statusAt(10, cookie)]).toEqual([401, 401]);
  });

  it('are kept for an hour while the provider does not respond, and it is asked once a minute', async () => {
    const cookie = await signedIn(WITH_TOKENS);
    const before = await provider.tokenRequests();
    await provider.next({ ...WITH_TOKENS, broken: '/token' });
    expect([await statusAt(10, cookie), await statusAt(10.5, cookie), await statusAt(11, cookie)]).toEqual([
      200, 200, 200,
    ]);
    expect((await provider.tokenRequests()) - before).toBe(2);
    for (const minutes of [24, 38, 52, 66, 69]) expect(await statusAt(minutes, cookie)).toBe(200);
    expect(await statusAt(70, cookie)).toBe(401);
  });

  it('are confirmed by a provider that responds again', async () => {
    const cookie = await signedIn(WITH_TOKENS);
    await provider.next({ ...WITH_TOKENS, broken: '/token' });
    expect(await statusAt(14, cookie)).toBe(200);
    await provider.next(WITH_TOKENS);
    for (const minutes of [28, 42, 56, 70, 84]) expect(await statusAt(minutes, cookie)).toBe(200);
  });

  it('are confirmed later when the user info fails after the provider has given another refresh token', async () => {
    const cookie = await signedIn(WITH_TOKENS);
    await provider.next({ ...WITH_TOKENS, broken: '/me' });
    expect(await statusAt(10, cookie)).toBe(200);
    await provider.next(WITH_TOKENS);
    expect([await statusAt(12, cookie), await statusAt(21, cookie), await statusAt(23, cookie)]).toEqual([
      200, 200, 200,
    ]);
  });

  it('are stored without the refresh token in clear text', async () => {
    await signedIn(WITH_TOKENS);
    const rows = await (
      gateway.engines.readModels as never as {
        selectFrom(table: string): { selectAll(): { execute(): Promise<{ refresh_token: string | null }[]> } };
      }
    )
      .selectFrom('gateway_staff_sessions')
      .selectAll()
      .execute();
    const tokens = rows.flatMap(({ refresh_token: token }) => token ?? []);
    expect(tokens.length).toBeGreaterThan(0);
    for (const token of tokens) expect(token).toMatch(/^sealed:v1:staff-/);
  });
});
