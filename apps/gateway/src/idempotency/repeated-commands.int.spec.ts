import 'reflect-metadata';
import { CHILD } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { credentialsFor, gateway, send, useTestGateway } from '../testing/route-requests';
import { ROUTES } from '../testing/routes';

useTestGateway();

const DAY_MS = 24 * 3_600_000;
/** Operations of a session accept no key. */
const KEYED = ROUTES.filter(({ method, reach }) => (method === 'POST' || method === 'PATCH') && reach !== 'session');

/** The requests that services got, without what differs each time: look-ups of the gateway, and sealed texts. */
const received = () =>
  gateway.bus.requests
    .splice(0)
    .filter(({ context }) => context.actor !== 'gateway')
    .map(({ pattern, payload, context }) => ({
      pattern,
      commandId: context.commandId,
      payload: JSON.stringify(payload).replaceAll(/sealed:v1:[^"]*/g, 'sealed'),
    }));

describe('A request that is repeated under its idempotency key when its response is not stored any more', () => {
  it.each(KEYED.map((route) => [route.id, route] as const))('sends the same commands again: %s', async (id, route) => {
    const again = async () => {
      const { statusCode, body, headers } = await send(route, CHILD, {
        ...credentialsFor(route, KEY.partner),
        'idempotency-key': `again-${id}`,
      });
      expect([statusCode, headers['idempotency-replayed']]).toEqual([route.status, undefined]);
      return { commands: received(), secret: /"secret":"[^"]*"/.exec(body)?.[0] };
    };
    received();
    const first = await again();
    await gateway.engines.edgeState.sweep(Date.now() + 2 * DAY_MS);
    expect(await again()).toEqual(first);
  });
});
