import type { PartitionOffset } from './partition-offsets';
import { SeenRevisions } from './seen-revisions';

const STREAMS = 3;

function setUp() {
  const seen = new SeenRevisions(STREAMS);
  let offset = -1;
  const missing: number[] = [];
  /** Receives the next message of the partition. `before` is what is known to be before it. */
  const receive = (stream: string, revision: number, skipped = 0) => {
    offset += 1 + skipped;
    const before: PartitionOffset = { offset: BigInt(offset), position: String(offset) };
    const taken = { topic: 'orders.events', partition: 0, before: async () => before };
    const run = seen.runOf({ ...taken, message: { offset: String(offset) } as never });
    return { run, order: seen.record(run, stream, revision, (from) => void missing.push(from)) };
  };
  return { receive, missing };
}

describe('the revisions that were received', () => {
  it('tell whether an event is the first of its stream in the run, follows, or comes after missing ones', () => {
    const { receive, missing } = setUp();
    const orders = [
      receive('order-a', 0),
      receive('order-b', 4),
      receive('order-a', 1),
      receive('order-b', 4),
      receive('order-a', 3),
    ];
    expect(orders.map(({ order }) => order)).toEqual(['follows', 'first', 'follows', 'follows', 'missing']);
    expect(missing).toEqual([2]);
    expect(new Set(orders.map(({ run }) => run)).size).toBe(1);
  });

  it('do not count after a gap between the offsets', () => {
    const { receive } = setUp();
    const { run } = receive('order-a', 0);
    const after = receive('order-a', 3, 1);
    expect([after.run === run, after.order]).toEqual([false, 'first']);
  });

  it('that are forgotten do not look like lost ones: the offset before the next run covers them', async () => {
    const { receive } = setUp();
    const { run } = receive('order-a', 0);
    for (const stream of ['order-b', 'order-c']) expect(receive(stream, 0).run).toBe(run);
    // Forgets `order-a`.
    expect(receive('order-d', 0).run).toBe(run);
    const again = receive('order-a', 1);
    expect(again.run).not.toBe(run);
    expect(again.order).toBe('first');
    expect(await again.run.before).toMatchObject({ offset: 4n, position: '4' });
    // The new run goes on: what it forgets first are streams of the run before. Those that are remembered still count.
    expect(receive('order-d', 2)).toEqual({ run: again.run, order: 'missing' });
    expect(receive('order-e', 0).run).toBe(again.run);
    expect(receive('order-a', 2)).toEqual({ run: again.run, order: 'follows' });
  });
});
