import 'reflect-metadata';
import { ChangeWebhookFaults, CheckWebhookSignature, sealRequest } from '@ponte/contracts';
import type { WebhookSignatureParts } from '@ponte/contracts';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { signature } from '../dispatch/sending.service';
import { CHILD, order, PARTNER } from '../testing/fixtures';
import { Receiver } from '../testing/receiver';
import { context, WebhooksUnderTest } from '../testing/webhooks-under-test';

const RIGHT = { delayMs: 0, duplicate: false, reorder: false, badSignature: false, respond500Minutes: 0 };

describe('the faults of a sandbox endpoint', () => {
  const folder = temporaryFolder();
  let receiver: Receiver;
  let webhooks: WebhooksUnderTest;
  let count = 0;
  const place = async (): Promise<string> => {
    const id = derivedId('order', 'faults', String((count += 1)));
    await webhooks.append(`order-${id}`, NO_STREAM, ...order(id));
    return id;
  };
  const set = (endpointId: string, faults: Partial<typeof RIGHT>, accountId = CHILD) =>
    webhooks.engines.bus.request(
      ChangeWebhookFaults,
      { accountId, endpointId, faults: { ...RIGHT, ...faults } },
      context(),
    );
  const of = (path: string, id: string) => receiver.at(path).filter(({ body }) => body['resource-id'] === id);

  beforeAll(async () => {
    receiver = await Receiver.listen();
    webhooks = await WebhooksUnderTest.start(folder.path);
  });
  afterAll(async () => {
    await webhooks.stop();
    await receiver.close();
    folder.remove();
  });

  it('can send each event twice with one id, and only once after they are cleared', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/twice', CHILD, ['order-created']);
    expect(await set(endpointId, { duplicate: true })).toMatchObject({ duplicate: true, respond500Until: null });
    const first = await place();
    await eventually(() => expect(of('/twice', first)).toHaveLength(2));
    expect(new Set(of('/twice', first).map(({ id }) => id)).size).toBe(1);
    await set(endpointId, {});
    const second = await place();
    const third = await place();
    await eventually(async () => {
      const rows = (await webhooks.deliveries()).filter(({ endpoint_id }) => endpoint_id === endpointId);
      expect(rows.map(({ state }) => state)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    });
    for (const id of [second, third]) expect(of('/twice', id)).toHaveLength(1);
  });

  it('can send a signature that does not verify', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/forged', CHILD, ['order-created']);
    await set(endpointId, { badSignature: true });
    const id = await place();
    await eventually(() => expect(of('/forged', id)).toHaveLength(1));
    expect(of('/forged', id)[0]?.verified).toBe(false);
  });

  it('can reorder events about one resource', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/mixed', CHILD);
    await set(endpointId, { reorder: true });
    const id = await place();
    await eventually(() => expect(of('/mixed', id)).toHaveLength(3), 15_000);
    const sequences = of('/mixed', id).map(({ body }) => body['sequence']);
    expect(sequences).not.toEqual([1, 2, 3]);
    expect(new Set(sequences)).toEqual(new Set([1, 2, 3]));
  });

  it('can delay requests', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/slow', CHILD, ['order-created']);
    await set(endpointId, { delayMs: 1_500 });
    const begun = performance.now();
    const id = await place();
    await eventually(() => expect(of('/slow', id)).toHaveLength(1));
    expect(performance.now() - begun).toBeGreaterThanOrEqual(1_500);
  });

  it('can act for some minutes as if the receiver responded 500; the events are sent afterwards', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/outage', CHILD, ['order-created']);
    await set(endpointId, { respond500Minutes: 5 });
    const id = await place();
    await eventually(async () => {
      const [row] = (await webhooks.deliveries()).filter(({ endpoint_id }) => endpoint_id === endpointId);
      expect(row).toMatchObject({ state: 'pending', attempts: 1 });
    });
    expect(of('/outage', id)).toEqual([]);
    WebhooksUnderTest.aheadMs += 6 * 60_000;
    await eventually(() => expect(of('/outage', id)).toHaveLength(1));
  });

  it('cannot be set on an endpoint of another account', async () => {
    const endpointId = await webhooks.endpoint(receiver, '/others');
    expect(await set(endpointId, { duplicate: true }, PARTNER)).toBeNull();
  });

  describe('with the check of a webhook verification', () => {
    const body = '{"event-id":"e"}';
    let endpointId = '';
    let secret = '';
    const check = async (over: Partial<WebhookSignatureParts> = {}, accountId = CHILD) => {
      const id = derivedId('event', 'checked');
      const timestamp = String(Math.floor(Date.now() / 1000));
      const made = { secret, id, timestamp, body, signature: signature(secret, id, timestamp, body), ...over };
      const parts = await sealRequest(webhooks.engines.personalData, { secret: JSON.stringify(made) });
      return webhooks.engines.bus.request(CheckWebhookSignature, { accountId, endpointId, parts }, context());
    };
    const wrong = async (over: Partial<WebhookSignatureParts>) =>
      (await check(over))?.checks.filter(({ result }) => result === 'wrong').map(({ part }) => part);

    beforeAll(async () => {
      endpointId = await webhooks.endpoint(receiver, '/checked');
      secret = receiver.secrets.get('/checked') ?? '';
    });

    it('finds nothing wrong with a correct request', async () => {
      const checked = await check();
      expect(checked?.checks.every(({ result }) => result === 'correct')).toBe(true);
      expect(checked?.checks.map(({ part }) => part)).toEqual([
        'id',
        'timestamp',
        'secret-form',
        'secret-base64',
        'secret',
        'signature-form',
        'signature',
      ]);
    });

    it('names the part that is wrong', async () => {
      expect(await wrong({ id: '' })).toEqual(['id', 'signature']);
      expect(await wrong({ timestamp: String(Date.now()) })).toEqual(['timestamp', 'signature']);
      expect(await wrong({ timestamp: '1000000000' })).toEqual(['timestamp', 'signature']);
      expect(await wrong({ secret: secret.slice(6) })).toEqual(['secret-form']);
      expect(await wrong({ secret: secret.slice(0, -3) })).toEqual(['secret-base64']);
      expect(await wrong({ secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}` })).toEqual(['secret']);
      expect(await wrong({ signature: 'v2,x' })).toEqual(['signature-form']);
      expect(await wrong({ body: '{ "event-id": "e" }' })).toEqual(['signature']);
    });

    it('never uses a secret of another endpoint and repeats none of the input', async () => {
      const foreign = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      const checked = await check({ secret: foreign, signature: signature(foreign, 'a', 'b', body) });
      expect(checked?.checks.find(({ part }) => part === 'signature')?.result).toBe('skipped');
      expect(JSON.stringify(checked)).not.toContain(foreign.slice(6));
      expect(await check({}, PARTNER)).toBeNull();
    });

    it('recognises common mistakes', async () => {
      const id = derivedId('event', 'checked');
      const timestamp = String(Math.floor(Date.now() / 1000));
      const asText = `whsec_${Buffer.from(secret).toString('base64')}`;
      const message = async (over: Partial<WebhookSignatureParts>) =>
        (await check({ id, timestamp, ...over }))?.checks.find(({ part }) => part === 'signature')?.message;
      expect(await message({ signature: signature(asText, id, timestamp, body) })).toContain('decode its base64');
      const pretty = '{ "event-id": "e" }';
      expect(await message({ body: pretty, signature: signature(secret, id, timestamp, body) })).toContain(
        'written again',
      );
    });
  });
});
