import 'reflect-metadata';
import pino from 'pino';
import { CreateWebhookEndpoint, ListWebhookEndpoints, RotateWebhookSecret, sealRequest } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId, instrument } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { OutgoingHttp } from './outgoing-http/outgoing-http.port';
import { loggingAttempts } from './outgoing-http/traced-http';
import { CHILD, order } from './testing/fixtures';
import { Receiver } from './testing/receiver';
import { context, WebhooksUnderTest } from './testing/webhooks-under-test';

const TOKEN = 'token-4711';
const PATH = `/hooks?key=${TOKEN}`;
const page = { limit: 50, cursor: null, createdFrom: null, createdTo: null };

describe('tokens in the URL of an endpoint', () => {
  const folder = temporaryFolder();
  let receiver: Receiver;
  let webhooks: WebhooksUnderTest;
  beforeAll(async () => {
    receiver = await Receiver.listen();
    webhooks = await WebhooksUnderTest.start(folder.path);
  });
  afterAll(async () => {
    await webhooks.stop();
    await receiver.close();
    folder.remove();
  });

  it('reach the receiver but are in no event, record or message in clear text', async () => {
    const { bus, personalData, store } = webhooks.engines;
    const url = await sealRequest(personalData, { secret: receiver.url(PATH) });
    const endpointId = derivedId('endpoint', 'tokens');
    const made = await bus.request(
      CreateWebhookEndpoint,
      { accountId: CHILD, endpointId, url, eventTypes: null },
      context(),
    );
    expect(made.url).toBe(receiver.url('/hooks?***'));
    receiver.secrets.set(PATH, await personalData.open(made.secret));
    const id = derivedId('order', 'tokens');
    await webhooks.append(`order-${id}`, NO_STREAM, ...order(id));
    await eventually(() => {
      expect(receiver.delivered(PATH)).toHaveLength(3);
    });
    expect(receiver.delivered(PATH).every(({ verified }) => verified)).toBe(true);
    const listed = await bus.request(ListWebhookEndpoints, { accountId: CHILD, page }, context());
    expect(listed.items.map((item) => item.url)).toEqual([receiver.url('/hooks?***')]);
    const events = await store.read(`webhookEndpoint-${CHILD}`);
    expect(events).toHaveLength(1);
    expect(JSON.stringify([events, listed, made, await webhooks.deliveries()])).not.toContain(TOKEN);
  });

  it('come with a secret that no reply contains in clear text', async () => {
    const { bus, personalData } = webhooks.engines;
    const endpointId = derivedId('endpoint', 'secret');
    const url = 'http://127.0.0.1:9/hooks';
    const wanted = { accountId: CHILD, endpointId, url, eventTypes: null };
    const made = await bus.request(CreateWebhookEndpoint, wanted, context());
    const rotated = await bus.request(RotateWebhookSecret, { accountId: CHILD, endpointId }, context());
    for (const reply of [made, rotated]) {
      expect(JSON.stringify(reply)).not.toContain('whsec_');
      expect(await personalData.open(reply?.secret as Sealed)).toMatch(/^whsec_/);
    }
  });

  it('are not logged at any level', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const http = instrument<OutgoingHttp>(
      { post: async () => ({ kind: 'failed', reason: 'target-refused' }), close: async () => undefined },
      [loggingAttempts(logger)],
    );
    await http.post(
      { url: receiver.url(PATH), headers: {}, body: '{}' },
      { deliveryId: 'd', endpointId: 'e', correlationId: 'c', attempt: 1 },
    );
    expect(lines).toHaveLength(1);
    expect(lines.join('')).not.toContain(TOKEN);
  });
});
