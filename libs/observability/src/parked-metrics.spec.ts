import type { ParkedEvent, ParkingLot } from '@ponte/event-sourcing';
import { measureParked } from './kafka';
import { Metrics } from './metrics';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');

const parked = (group: string, key: string, secondsAgo: number) =>
  ({ group, key, parkedAt: new Date(NOW - secondsAgo * 1_000).toISOString() }) as ParkedEvent;

async function measured(...events: readonly ParkedEvent[]): Promise<readonly string[]> {
  const metrics = new Metrics();
  const parkingLot = { list: async () => events } as unknown as ParkingLot;
  measureParked(parkingLot, metrics, () => NOW, new Set(['orders']));
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => line.startsWith('ponte_parked_'));
}

describe('the metrics of parked events', () => {
  test('tell for each group how many wait, in how many streams, and for how long the oldest has', async () => {
    const events = [parked('ledger', 'order-a', 20), parked('ledger', 'order-a', 90), parked('ledger', 'order-b', 5)];
    expect(await measured(...events)).toEqual([
      'ponte_parked_events{group="orders"} 0',
      'ponte_parked_events{group="ledger"} 3',
      'ponte_parked_streams{group="orders"} 0',
      'ponte_parked_streams{group="ledger"} 2',
      'ponte_parked_oldest_seconds{group="orders"} 0',
      'ponte_parked_oldest_seconds{group="ledger"} 90',
    ]);
  });

  test('tell no negative age if another process, whose clock is ahead, has just parked an event', async () => {
    expect(await measured(parked('ledger', 'order-a', -2))).toContain('ponte_parked_oldest_seconds{group="ledger"} 0');
  });
});
