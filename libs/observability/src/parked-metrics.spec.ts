import { MemoryParkedEvents } from '@ponte/testing';
import type { ParkedEvent, ParkedEvents } from '@ponte/event-sourcing';
import { measureParked } from './kafka';
import { Metrics } from './metrics';

const NOW = Date.parse('2026-01-01T12:00:00.000Z');

const parked = (group: string, key: string, revision: number, secondsAgo: number) =>
  ({
    ...{ group, key, event: { id: `${key}-${revision}`, revision } },
    parkedAt: new Date(NOW - secondsAgo * 1_000).toISOString(),
  }) as ParkedEvent;

async function scraped(metrics: Metrics): Promise<readonly string[]> {
  const text = await metrics.registry.metrics();
  return text.split('\n').filter((line) => line.startsWith('ponte_parked_'));
}

async function measured(...events: readonly ParkedEvent[]): Promise<readonly string[]> {
  const [metrics, parkedEvents] = [new Metrics(), new MemoryParkedEvents()];
  for (const event of events) await parkedEvents.add(event);
  measureParked(parkedEvents, metrics, () => NOW, new Set(['orders']));
  return scraped(metrics);
}

describe('the metrics of parked events', () => {
  test('tell for each group how many wait, in how many streams, and for how long the oldest has', async () => {
    const lines = await measured(
      parked('ledger', 'order-a', 0, 20),
      parked('ledger', 'order-a', 1, 90),
      parked('ledger', 'order-b', 0, 5),
    );
    expect(lines).toEqual([
      'ponte_parked_events{group="orders"} 0',
      'ponte_parked_events{group="ledger"} 3',
      'ponte_parked_streams{group="orders"} 0',
      'ponte_parked_streams{group="ledger"} 2',
      'ponte_parked_oldest_seconds{group="orders"} 0',
      'ponte_parked_oldest_seconds{group="ledger"} 90',
    ]);
  });

  test('tell no negative age if another process, whose clock is ahead, has just parked an event', async () => {
    const lines = await measured(parked('ledger', 'order-a', 0, -2));
    expect(lines).toContain('ponte_parked_oldest_seconds{group="ledger"} 0');
  });

  test('are read once for several scrapes, even if the clock passes while they are read, and again after a failure', async () => {
    const [metrics, answers] = [new Metrics(), [] as ((isRead: boolean) => void)[]];
    const counts: ParkedEvents['counts'] = () =>
      new Promise((resolve, reject) => answers.push((isRead) => (isRead ? resolve([]) : reject(new Error('down')))));
    let now = NOW;
    measureParked({ counts }, metrics, () => now);
    const scrapes = [scraped(metrics)];
    now += 60_000;
    scrapes.push(scraped(metrics));
    expect(answers).toHaveLength(1);
    answers[0]?.(false);
    await Promise.all(scrapes);
    const next = scraped(metrics);
    expect(answers).toHaveLength(2);
    answers[1]?.(true);
    await next;
    await scraped(metrics);
    expect(answers).toHaveLength(2);
  });
});
