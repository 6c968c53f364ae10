import 'reflect-metadata';
import { rebuildReadModels } from '@ponte/read-models';
import { eventually } from '@ponte/testing';
import { WEBHOOKS_REBUILDABLE } from '../deliveries/deliveries-rebuild.adapter';
import { CHILD } from '../testing/fixtures';
import { orderIds, SendingUnderTest } from '../testing/sending-under-test';

const ENDED = ['failed', 'failed', 'failed'];

describe('deliveries that are only in the journal', () => {
  const sending = new SendingUnderTest();

  it('are in the list after a rebuild as before', async () => {
    const { webhooks, receiver } = sending;
    await webhooks.endpoint(receiver, '/gone', CHILD);
    receiver.behaviours.set('/gone', { status: 410 });
    await sending.place(orderIds('rebuilt', 1));
    const rows = async () =>
      (await webhooks.deliveries()).filter((row) => row.account_id === CHILD).sort((a, b) => a.id.localeCompare(b.id));
    await eventually(async () => expect((await rows()).map(({ state }) => state)).toEqual(ENDED));
    const before = await rows();
    const { store, readModels, shadowReadModels: shadow } = webhooks.engines;
    await rebuildReadModels({ store, readModels, shadow, rebuild: WEBHOOKS_REBUILDABLE });
    expect(await rows()).toEqual(before);
  });
});
