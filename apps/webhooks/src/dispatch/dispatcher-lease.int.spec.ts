import 'reflect-metadata';
import type { Lease } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { eventually, temporaryFolder } from '@ponte/testing';
import { order } from '../testing/fixtures';
import { Receiver } from '../testing/receiver';
import { orderIds } from '../testing/sending-under-test';
import { WebhooksUnderTest } from '../testing/webhooks-under-test';

it('the dispatcher asks for its lease again if it could not be acquired', async () => {
  const [folder, receiver] = [temporaryFolder(), await Receiver.listen()];
  let failures = 0;
  const failingTwice = (lease: Lease): Lease => ({
    acquire: async (name, signal) => {
      if (name === 'webhook-dispatcher' && failures < 2) {
        failures += 1;
        throw new Error('the database file is locked');
      }
      return lease.acquire(name, signal);
    },
  });
  const webhooks = await WebhooksUnderTest.start(folder.path, undefined, failingTwice);
  try {
    await webhooks.endpoint(receiver, '/hook');
    const [id = ''] = orderIds('lease', 1);
    await webhooks.append(`order-${id}`, NO_STREAM, ...order(id));
    await eventually(() => expect(receiver.delivered('/hook')).toHaveLength(order(id).length));
    expect(failures).toBe(2);
  } finally {
    await webhooks.stop();
    await receiver.close();
    folder.remove();
  }
});
