import 'reflect-metadata';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { rebuildReadModels } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import { eventually } from '@ponte/testing';
import { WEBHOOKS_REBUILDABLE } from '../deliveries/deliveries-rebuild.adapter';
import type { DeliveriesSchema } from '../deliveries/deliveries.read-model';
import { openDeliveryEngines } from '../testing/delivery-engines';
import { atOnce, events } from '../testing/delivery-events';
import { AT, CHILD } from '../testing/fixtures';
import { orderIds, SendingUnderTest } from '../testing/sending-under-test';

const DAY_MS = 86_400_000;
const ENDED = ['failed', 'failed', 'failed'];

describe('deliveries that are only in the log', () => {
  it('are in the list after a rebuild, unless they ended more than 90 days ago', async () => {
    const { engines, close } = await openDeliveryEngines();
    const { store, readModels, shadowReadModels: shadow } = engines;
    const ended = derivedId('delivery', 'ended');
    await store.append(`delivery-${ended}`, NO_STREAM, events(atOnce(ended)));
    const rebuiltAfter = async (days: number): Promise<string[]> => {
      const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(AT) + days * DAY_MS);
      await rebuildReadModels({ store, readModels, shadow, rebuild: WEBHOOKS_REBUILDABLE }).finally(() =>
        now.mockRestore(),
      );
      const db = readModels as unknown as Kysely<DeliveriesSchema>;
      return (await db.selectFrom('webhook_deliveries').select('id').execute()).map(({ id }) => id);
    };
    expect(await rebuiltAfter(90)).toEqual([ended]);
    expect(await rebuiltAfter(91)).toEqual([]);
    await close();
  });
});

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
