import 'reflect-metadata';
import { ListAccountEvents } from '@ponte/contracts';
import type { ErrorDto } from '../../openapi/error.dto';
import { CHILD } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import type { GatewayUnderTest } from '../../testing/gateway-under-test';
import { startGateway } from '../../testing/gateway-under-test';

describe('the newest position of an event log', () => {
  let gateway: GatewayUnderTest;
  let queriedAfter: unknown[];
  beforeAll(async () => {
    gateway = await startGateway();
    gateway.bus.on(ListAccountEvents, ({ after }) => {
      queriedAfter.push(after);
      return { expired: false as const, events: [], next: 41, more: false };
    });
  });
  beforeEach(() => {
    queriedAfter = [];
  });
  afterAll(() => gateway.stop());

  const get = (query: string) =>
    gateway.app.inject({
      url: `/api/v1/accounts/${CHILD}/events${query}`,
      headers: { authorization: `Bearer ${KEY.partner}` },
    });

  it('is answered without reading the log', async () => {
    const answer = await get('?start=latest');
    expect(answer.json()).toEqual({ events: [], 'next-after': 41, more: false });
    expect(queriedAfter).toEqual(['end']);
  });

  it.each([
    ['?start=newest', 'invalid-enum-value', '`start` must be'],
    ['?start=latest&after=3', 'invalid-format', '`start` must not be sent together with `after`'],
  ])('is refused for %s', async (query, code, message) => {
    const { error } = (await get(query)).json<ErrorDto>();
    expect(error.details).toEqual([{ path: 'start', code, message: expect.stringContaining(message) }]);
    expect(queriedAfter).toEqual([]);
  });
});
