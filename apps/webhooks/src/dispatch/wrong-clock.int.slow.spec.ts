import 'reflect-metadata';
import { eventually } from '@ponte/testing';
import { orderIds, SendingUnderTest } from '../testing/sending-under-test';

const HOUR_MS = 3_600_000;
/** A delivery that our own side could not attempt is left alone for ten seconds. */
const RETRIED_MS = 60_000;

describe('webhooks, while the clock of the process is wrong', () => {
  const sending = new SendingUnderTest();

  it('are not sent, because receivers refuse a wrong timestamp; then each is sent, and no failure is recorded', async () => {
    const { webhooks, receiver } = sending;
    const { clockSkew, systemClock } = webhooks.engines;
    await webhooks.endpoint(receiver, '/clock');
    const [id] = orderIds('clock', 1) as [string];
    await clockSkew?.measure(async () => systemClock.now() - HOUR_MS);
    await sending.place([id]);
    await eventually(async () => expect(await webhooks.deliveries()).toHaveLength(3));
    expect(receiver.heard).toEqual([]);
    await clockSkew?.measure(async () => systemClock.now());
    await eventually(() => expect(sending.sequences('/clock', id)).toEqual([1, 2, 3]), RETRIED_MS);
    await eventually(async () =>
      expect((await webhooks.deliveries()).map(({ attempts }) => attempts)).toEqual([1, 1, 1]),
    );
  }, 120_000);
});
