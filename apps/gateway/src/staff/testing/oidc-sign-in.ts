import type { LightMyRequestResponse } from 'fastify';
import type { GatewayUnderTest } from '../../testing/gateway-under-test';
import { TestProvider } from './provider';
import { SESSION, cookiesOf, startWith } from './starting';

const ORIGIN = 'http://localhost:8080';

export const CALLBACK = `${ORIGIN}${SESSION}/oidc/callback`;

export const ANA = {
  account: 'ana',
  claims: { name: 'Ana Canary', realm_access: { roles: ['kyc-1', 'kyc-2', 'guest'] } },
};

export let provider: TestProvider;

export let gateway: GatewayUnderTest;

/** Starts an identity provider and a gateway that uses it, for the tests of a file. */
export function useOidcSignIn(): void {
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
}

export const begin = async (query = '') => {
  const answer = await gateway.app.inject({ url: `${SESSION}/oidc${query}`, headers: { accept: 'text/html' } });
  const [pending = ''] = cookiesOf(answer);
  return { answer, location: String(answer.headers.location), pending, cookie: pending.split(';')[0] ?? '' };
};

export const back = (url: string, cookie: string, accept = 'text/html,*/*;q=0.8') =>
  gateway.app.inject({ url: url.slice(ORIGIN.length), headers: { accept, cookie, 'sec-fetch-site': 'cross-site' } });

export const changed = (url: string, change: (parameters: URLSearchParams) => void) => {
  const altered = new URL(url);
  change(altered.searchParams);
  return altered.href;
};

export const sessionIn = (answer: LightMyRequestResponse) =>
  cookiesOf(answer).find((one) => one.startsWith('ponte-staff='));

export const whole = async (next: Parameters<TestProvider['next']>[0], query = '') => {
  await provider.next(next);
  const { location, cookie } = await begin(query);
  return back(await provider.visit(location, CALLBACK), cookie);
};

export const refused = (answer: LightMyRequestResponse) => [
  answer.statusCode,
  sessionIn(answer),
  answer.body.includes('Not signed in'),
];

export const REFUSED = [401, undefined, true];
