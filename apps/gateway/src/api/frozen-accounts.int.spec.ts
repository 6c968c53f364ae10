import 'reflect-metadata';
import type { AccountRecord, AccountStatus } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { GatewayUnderTest } from '../testing/gateway-under-test';
import { startGateway } from '../testing/gateway-under-test';
import type { RouteCase } from '../testing/route-case';
import { requestOf } from '../testing/route-case';
import { ROUTES } from '../testing/routes';
import { CHILD, PARTNER } from '../testing/accounts';
import { KEY } from '../testing/api-keys';

let gateway: GatewayUnderTest;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.stop());

const OF_PARTNERS = ROUTES.filter(({ reach }) => reach === 'own' || reach === 'account');
const COMMANDS = OF_PARTNERS.filter(({ method }) => method !== 'GET');
const KEYED = COMMANDS.filter(({ method }) => method === 'POST' || method === 'PATCH');
/** Sandbox tools act as a payer or as compliance staff, or affect all accounts, so a frozen account may use them. */
const TOOLS = ['simulate-pix-payment', 'set-sandbox-pricing', 'advance-clock', 'decide-account-request'];
/** The services behind them check the account themselves, after they have looked for what the same key has created. */
const CHECKED_BEHIND = [
  ...['create-quote', 'create-quote-v0', 'create-order', 'create-order-v0'],
  ...['create-withdrawal', 'create-withdrawal-v0', 'create-asset-withdrawal-v0'],
  ...['create-transfer', 'create-transfer-v0', 'create-nft-transfer', 'create-nft-transfer-v0'],
];

function standing(statuses: Readonly<Record<string, AccountStatus>>): void {
  gateway.bus.on(GetAccount, ({ accountId }): AccountRecord => ({
    accountId,
    parentId: accountId === CHILD ? PARTNER : null,
    alias: 'a',
    status: statuses[accountId] ?? 'active',
    externalId: null,
    onboardingMode: null,
    capabilities: ['manage-holders'],
    taxIdFingerprint: 'f',
    createdAt: '2026-11-21T12:00:00.000Z',
  }));
}

const send = (route: RouteCase, headers: Record<string, string> = {}) =>
  gateway.app.inject(requestOf(route, CHILD, { authorization: `Bearer ${KEY.partner}`, ...headers }));

const codeOfAnswer = (answer: Awaited<ReturnType<typeof send>>): string =>
  answer.statusCode < 400
    ? 'done'
    : `${answer.statusCode} ${(answer.json() as { error: { code: string } }).error.code}`;

const codeOf = async (route: RouteCase): Promise<string> => codeOfAnswer(await send(route));

const codesOf = async (routes: readonly RouteCase[]) =>
  Object.fromEntries(await Promise.all(routes.map(async (route) => [route.id, await codeOf(route)] as const)));
const expected = (routes: readonly RouteCase[], refused: (route: RouteCase) => boolean) =>
  Object.fromEntries(routes.map((route) => [route.id, refused(route) ? '403 account-not-active' : 'done']));

it.each(['frozen', 'closed'] as const)(
  'an account that is %s can be read, but every command on it is refused',
  async (status) => {
    standing({ [CHILD]: status });
    expect(await codesOf(COMMANDS)).toEqual(
      expected(COMMANDS, ({ id, reach }) => reach === 'account' && !CHECKED_BEHIND.includes(id)),
    );
    expect(new Set(Object.values(await codesOf(OF_PARTNERS.filter(({ method }) => method === 'GET'))))).toEqual(
      new Set(['done']),
    );
  },
);

it('a key of a frozen partner can read but sends no commands, on its own account or on its sub-accounts', async () => {
  standing({ [PARTNER]: 'frozen' });
  const ownBehind = CHECKED_BEHIND.filter((id) => id.endsWith('-v0'));
  expect(await codesOf(COMMANDS)).toEqual(
    expected(COMMANDS, ({ id }) => !TOOLS.includes(id) && !ownBehind.includes(id)),
  );
  expect(new Set(Object.values(await codesOf(OF_PARTNERS.filter(({ method }) => method === 'GET'))))).toEqual(
    new Set(['done']),
  );
});

it('a key of a frozen partner cannot check an order of a sub-account either', async () => {
  standing({ [PARTNER]: 'frozen' });
  const route = COMMANDS.find(({ id }) => id === 'create-order') as RouteCase;
  expect(codeOfAnswer(await send(route, { prefer: 'dry-run' }))).toBe('403 account-not-active');
  standing({});
  expect((await send(route, { prefer: 'dry-run' })).headers['preference-applied']).toBe('dry-run');
});

it('a repeat under an idempotency key gets the response of the first request, also from accounts that are frozen since', async () => {
  // Routes of v0 and v1 share their keys.
  const key = ({ id }: RouteCase) => ({ 'idempotency-key': `before the freeze: ${id}` });
  standing({});
  const first = new Map<string, string>();
  for (const route of KEYED) first.set(route.id, (await send(route, key(route))).body);
  standing({ [CHILD]: 'frozen', [PARTNER]: 'frozen' });
  for (const route of KEYED) {
    const { statusCode, body, headers } = await send(route, key(route));
    expect([route.id, statusCode, body, headers['idempotency-replayed']]).toEqual([
      route.id,
      route.status,
      first.get(route.id),
      'true',
    ]);
  }
});

it('commands on active accounts are not refused', async () => {
  standing({});
  expect(new Set(Object.values(await codesOf(COMMANDS)))).toEqual(new Set(['done']));
});
