import 'reflect-metadata';
import type { PublishedEnvelope } from '@ponte/contracts';
import { ListAccountEvents } from '@ponte/contracts';
import type { ErrorDto } from '../../openapi/error.dto';
import { CHILD } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import type { GatewayUnderTest } from '../../testing/gateway-under-test';
import { startGateway } from '../../testing/gateway-under-test';

const EVENT: Omit<PublishedEnvelope, 'payload'> = {
  eventId: '0190f8a0-5c1e-8b3a-9d2f-3f6a1c0e4b01',
  eventType: 'deposit-processed',
  accountId: CHILD,
  resourceType: 'deposit',
  resourceId: '0190f8a0-5c1e-8b3a-9d2f-3f6a1c0e4b02',
  sequence: 1,
  previousState: null,
  occurredAt: '2026-06-02T12:00:00.000Z',
  apiVersion: 'v1',
};

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

describe('an event whose personal fields cannot be decrypted', () => {
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    gateway = await startGateway();
    const event = (number: number, payload: PublishedEnvelope['payload']) => ({
      number,
      envelope: { ...EVENT, sequence: number, payload },
    });
    gateway.bus.on(ListAccountEvents, () => ({
      expired: false as const,
      events: [
        event(1, { 'deposit-id': 'd', 'source-legal-name': `sealed:v1:lost:${Buffer.alloc(40).toString('base64')}` }),
        event(2, { 'deposit-id': 'e' }),
      ],
      next: 2,
      more: false,
    }));
  });
  afterAll(() => gateway.stop());

  it('reads `[unavailable]` there and does not hide the events after it', async () => {
    const answer = await gateway.app.inject({
      url: `/api/v1/accounts/${CHILD}/events?after=0`,
      headers: { authorization: `Bearer ${KEY.partner}` },
    });
    expect(answer.statusCode).toBe(200);
    const { events } = answer.json<{ events: { event: { payload: object } }[] }>();
    expect(events.map(({ event }) => event.payload)).toEqual([
      { 'deposit-id': 'd', 'source-legal-name': '[unavailable]' },
      { 'deposit-id': 'e' },
    ]);
  });
});
