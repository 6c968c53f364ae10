import 'reflect-metadata';
import type { DeliveryFact } from '@ponte/contracts';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { deliveryIdOf } from './dispatch/deliveries';
import { CHILD, order } from './testing/facts';
import { Receiver } from './testing/receiver';
import { Rig } from './testing/rig';

const ORDERS = 40;

describe('a holder of the leases that was thought dead', () => {
  const folder = temporaryFolder();
  let receiver: Receiver;
  let rig: Rig;

  beforeAll(async () => {
    receiver = await Receiver.listen();
    rig = await Rig.start(folder.path);
  });
  afterAll(async () => {
    await rig.stop();
    await receiver.close();
    folder.remove();
  });

  it('may send what the new one sends: under one id, in one form and in order; each outbox entry and the end of each delivery is recorded once', async () => {
    const endpointId = await rig.endpoint(receiver, '/both');
    const other = await rig.otherHolder();
    const ids = Array.from({ length: ORDERS }, (_, at) => derivedId('order', 'both', String(at)));
    await Promise.all(ids.map((id) => rig.append(`order-${id}`, NO_STREAM, ...order(id))));

    await eventually(async () => {
      const entries = await rig.outbox(CHILD);
      expect(entries).toHaveLength(3 * ORDERS);
      for (const { envelope } of entries) {
        const facts = (await rig.engines.store.read(`delivery-${deliveryIdOf(envelope.eventId, endpointId)}`)) as unknown as DeliveryFact[];
        expect([envelope.eventType, facts.filter(({ type }) => type === 'DeliveredAtOnce' || type === 'DeliverySucceeded').length]).toEqual([envelope.eventType, 1]);
      }
    });
    await other.stop();

    const heard = receiver.delivered('/both');
    expect(new Set((await rig.outbox(CHILD)).map(({ envelope }) => envelope.eventId)).size).toBe(3 * ORDERS);
    expect(new Set(heard.map(({ id }) => id)).size).toBe(3 * ORDERS);
    // Both sent, or the test would tell nothing.
    expect(heard.length).toBeGreaterThan(3 * ORDERS);
    expect(heard.every(({ verified, id, body }) => verified && body['event-id'] === id)).toBe(true);
    expect(new Set(heard.map(({ body }) => JSON.stringify(body))).size).toBe(3 * ORDERS);
    for (const id of ids) {
      const first = new Map(heard.filter(({ body }) => body['resource-id'] === id).map(({ body }, at) => [body['sequence'], at] as const).reverse());
      expect([...first].sort(([, a], [, b]) => a - b).map(([sequence]) => sequence)).toEqual([1, 2, 3]);
    }
  });
});
