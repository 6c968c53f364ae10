import 'reflect-metadata';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { CLOCK } from '@ponte/nest';
import { eventually } from '@ponte/testing';
import { AttemptNotes } from '../deliveries/attempt-notes.read-model';
import { DeleteOldDeliveries } from '../deliveries/delete-old-deliveries.job';
import { OldDeliveries } from '../journal/old-deliveries.service';
import { CHILD, PARTNER } from '../testing/fixtures';
import { WebhooksUnderTest } from '../testing/webhooks-under-test';
import { HOUR, orderIds } from '../testing/sending-under-test';
import { DeliveriesUnderTest } from '../testing/deliveries-under-test';

const DAY = 24 * HOUR;

describe('the event log of an account', () => {
  const deliveries = new DeliveriesUnderTest();

  it('is numbered from 1 without gaps and is the same in pages of any size, up to its end', async () => {
    await deliveries.place(orderIds('log', 20));
    await eventually(async () => {
      const logged = await deliveries.allEvents(PARTNER);
      expect(logged.filter(({ envelope }) => orderIds('log', 20).includes(envelope.resourceId))).toHaveLength(60);
    });
    const logged = await deliveries.allEvents(CHILD);
    expect(logged.map(({ number }) => number)).toEqual(logged.map((_, at) => at + 1));
    const end = await deliveries.events(CHILD, 'end');
    expect(end).toEqual({ expired: false, events: [], next: logged.length, more: false });
    expect(await deliveries.events(CHILD, logged.length)).toEqual(end);
    await expect(deliveries.events(CHILD, logged.length + 1)).rejects.toMatchObject({
      code: 'invalid-cursor',
      violations: [{ path: 'after', message: expect.stringContaining(`at most ${logged.length},`) as string }],
    });
    for (const after of [0, 1, 17, logged.length - 1]) {
      const page = await deliveries.events(CHILD, after, 200);
      expect(page.expired === false && page.events).toEqual(logged.slice(after));
    }
    expect(await deliveries.events(derivedId('account', 'nothing'), null)).toEqual({
      expired: false,
      events: [],
      next: 0,
      more: false,
    });
  });

  it('expires events older than 90 days, whose deliveries are deleted', async () => {
    const endpointId = await deliveries.webhooks.endpoint(deliveries.receiver, '/old', CHILD, ['order-created']);
    await deliveries.place(orderIds('old', 1));
    await eventually(async () => {
      expect(await deliveries.listed(endpointId, { state: 'succeeded' })).toHaveLength(1);
      // All three events of the order are in the log, so `before` below counts them all.
      const logged = (await deliveries.allEvents(CHILD)).map(({ envelope }) => envelope.resourceId);
      expect(logged.filter((id) => orderIds('old', 1).includes(id))).toHaveLength(3);
    });
    const before = (await deliveries.allEvents(CHILD)).length;
    WebhooksUnderTest.aheadMs += 91 * DAY;
    expect(await deliveries.events(CHILD, 0)).toEqual({ expired: true, firstKept: before + 1 });
    expect(await deliveries.events(CHILD, before)).toMatchObject({ expired: false, events: [] });
    await deliveries.place(orderIds('new', 1));
    await eventually(async () =>
      expect((await deliveries.allEvents(CHILD)).map(({ number }) => number)).toEqual([
        before + 1,
        before + 2,
        before + 3,
      ]),
    );
    expect(await deliveries.events(CHILD, before - 1)).toEqual({ expired: true, firstKept: before + 1 });
    const { service } = deliveries.webhooks;
    const [old, notes] = [service.get(OldDeliveries), service.get(AttemptNotes)];
    await new DeleteOldDeliveries(old, notes, service.get<Clock>(CLOCK), { isSane: false }).run();
    expect((await deliveries.listed(endpointId)).map(({ resourceId }) => resourceId)).toContain(orderIds('old', 1)[0]);
    await service.get(DeleteOldDeliveries).run();
    await eventually(async () => {
      expect((await deliveries.listed(endpointId)).map(({ resourceId }) => resourceId)).toEqual(orderIds('new', 1));
    });
  });
});
