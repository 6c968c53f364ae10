import 'reflect-metadata';
import { CHILD } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { wholeDocument } from '../testing/gateway-under-test';
import type { RouteCase } from '../testing/route-case';
import { credentialsFor, gateway, useTestGateway } from '../testing/route-requests';
import { ROUTES } from '../testing/routes';

useTestGateway();

describe('the time range of a list', () => {
  it('is refused if it ends before it begins, and may be a single moment, for every list', async () => {
    const range = (from: string, to: string) => `created-from=${from}&created-to=${to}`;
    const { paths } = (await wholeDocument<unknown>(gateway)) as {
      paths: Record<string, Record<string, { operationId: string; parameters?: readonly { name: string }[] }>>;
    };
    const ranged = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'created-from'))
      .map(({ operationId }) => ROUTES.find(({ id }) => id === operationId) as RouteCase);
    expect(ranged.length).toBeGreaterThan(10);
    for (const route of ranged) {
      const asking = (query: string) =>
        gateway.app.inject({
          url: `${route.url(CHILD)}?${query}`,
          headers: credentialsFor(route, KEY.partner),
        });
      const answer = await asking(range('2026-01-31T09:00:00-03:00', '2026-01-31T11:59:59Z'));
      expect([route.id, answer.statusCode, (answer.json() as { error: object }).error]).toMatchObject([
        route.id,
        400,
        {
          code: 'invalid-format',
          details: [{ path: 'created-from', message: '`created-from` must not be after `created-to`.' }],
        },
      ]);
      expect([route.id, (await asking(range('2026-01-31T09:00:00-03:00', '2026-01-31T12:00:00Z'))).statusCode]).toEqual(
        [route.id, 200],
      );
    }
  });
});
