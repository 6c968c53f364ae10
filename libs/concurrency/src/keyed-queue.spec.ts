import { KeyedQueue } from './keyed-queue';

describe('a queue of work by key', () => {
  it('reports work that rejects, and tries it again before the later work of its key', async () => {
    const reported: unknown[] = [];
    const done: string[] = [];
    const queue = new KeyedQueue(1, (key, error) => void reported.push([key, error]));
    const error = new Error('unexpected');
    await new Promise<void>((resolve) => {
      let attempts = 0;
      queue.add('order-1', async () => {
        if ((attempts += 1) === 1) throw error;
        return void done.push('first');
      });
      queue.add('order-1', async () => {
        done.push('second');
        return void resolve();
      });
      queue.add('order-2', async () => void done.push('other'));
    });
    expect(reported).toEqual([['order-1', error]]);
    expect(done).toEqual(['other', 'first', 'second']);
  });

  it('passes the error of single work to its caller, and does not repeat the work', async () => {
    const reported: unknown[] = [];
    const queue = new KeyedQueue(1, (key) => void reported.push(key));
    let attempts = 0;
    const work = async (): Promise<void> => {
      attempts += 1;
      throw new Error('refused');
    };
    await expect(queue.once('order-1', work)).rejects.toThrow('refused');
    expect([attempts, reported]).toEqual([1, []]);
  });
});
