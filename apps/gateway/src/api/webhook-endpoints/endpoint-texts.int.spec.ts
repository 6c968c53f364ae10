import 'reflect-metadata';
import { ChangeWebhookEndpoint, CreateWebhookEndpoint, openSecret } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { CHILD } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import { useGateway } from '../../testing/use-gateway';
import { SAMPLE } from '../samples';

const gateway = useGateway();

describe('the URL of a webhook endpoint', () => {
  it.each(['https://partner.example/hooks?token=1', 'sealed:v1:onboarding-transit:AAAA', 'sealed:v1:x:AAAA'])(
    'is sent sealed, so that the service cannot take it for something that the gateway sealed: %s',
    async (url) => {
      const path = `/api/v1/accounts/${CHILD}/webhook-endpoints`;
      const headers = { authorization: `Bearer ${KEY.partner}` };
      await gateway.app.inject({ method: 'POST', url: path, headers, payload: { url } });
      await gateway.app.inject({ method: 'PATCH', url: `${path}/${SAMPLE.endpointId}`, headers, payload: { url } });
      for (const definition of [CreateWebhookEndpoint, ChangeWebhookEndpoint]) {
        const sent = gateway.bus.requestsOf(definition).at(-1)?.payload['url'] as Sealed;
        expect(await openSecret(gateway.engines.personalData, sent)).toBe(url);
      }
    },
  );
});

describe('the event types of a webhook endpoint', () => {
  const path = `/api/v1/accounts/${CHILD}/webhook-endpoints`;
  const headers = { authorization: `Bearer ${KEY.partner}` };
  const create = (eventTypes?: readonly string[]) =>
    gateway.app.inject({
      method: 'POST',
      url: path,
      headers,
      payload: { url: 'https://partner.example/hooks', ...(eventTypes ? { 'event-types': eventTypes } : {}) },
    });

  it.each([[['*']], [['order-completed', '*']], [undefined]])(
    'are all of them after a creation with %j',
    async (types) => {
      expect((await create(types)).statusCode).toBe(200);
      expect(gateway.bus.requestsOf(CreateWebhookEndpoint).at(-1)?.payload['eventTypes']).toBeNull();
    },
  );

  it('are all types after a change to *, and stay as they are after a change that omits event-types', async () => {
    const change = async (payload: object) => {
      const url = `${path}/${SAMPLE.endpointId}`;
      expect((await gateway.app.inject({ method: 'PATCH', url, headers, payload })).statusCode).toBe(200);
      return gateway.bus.requestsOf(ChangeWebhookEndpoint).at(-1)?.payload['eventTypes'];
    };
    expect(await change({ 'event-types': ['*'] })).toBe('all');
    expect(await change({ description: 'x' })).toBeNull();
  });

  it('are those that the creation names', async () => {
    await create(['order-completed']);
    expect(gateway.bus.requestsOf(CreateWebhookEndpoint).at(-1)?.payload['eventTypes']).toEqual(['order-completed']);
  });
});

describe('the description of a webhook endpoint', () => {
  it.each(['a\u0000b', 'a\nb', '\u202eb', 'a\ud800', ' '])('may not be %j', async (description) => {
    const path = `/api/v1/accounts/${CHILD}/webhook-endpoints`;
    const headers = { authorization: `Bearer ${KEY.partner}` };
    const payload = { url: 'https://partner.example/hooks', description };
    const answers = [
      await gateway.app.inject({ method: 'POST', url: path, headers, payload }),
      await gateway.app.inject({ method: 'PATCH', url: `${path}/${SAMPLE.endpointId}`, headers, payload }),
    ];
    for (const answer of answers)
      expect([answer.statusCode, answer.json()]).toMatchObject([
        400,
        { error: { code: 'invalid-format', details: [{ path: 'description' }] } },
      ]);
  });
});
