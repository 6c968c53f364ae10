import type { Checkpoints, Position } from '@ponte/event-sourcing';
import { CheckpointTracker } from './reader-progress';

class Kept implements Checkpoints {
  place: Position | undefined;
  async load(): Promise<Position | undefined> {
    return this.place;
  }
  async save(_reader: string, position: Position): Promise<boolean> {
    this.place = position;
    return true;
  }
}

function work() {
  let done = (): void => undefined;
  let fail = (_error: Error): void => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    [done, fail] = [resolve, reject];
  });
  promise.catch(() => undefined);
  return {
    promise,
    done: () => {
      done();
      return promise;
    },
    fail: () => {
      fail(new Error('cut off'));
      return promise.catch(() => undefined);
    },
  };
}

describe('a tracked checkpoint (reliability E5: interrupted work is repeated after a crash)', () => {
  let kept: Kept;
  let open: CheckpointTracker;
  beforeEach(async () => {
    kept = new Kept();
    kept.place = '10';
    open = new CheckpointTracker(kept);
    await open.load('reader');
  });

  it('is saved as usual while no work is open', async () => {
    open.add('20', []);
    await open.save('reader', '25');
    expect(kept.place).toBe('25');
  });

  it('stays before the first slice with open work, in whatever order the work ends', async () => {
    const [a, b, c] = [work(), work(), work()];
    open.add('20', [a.promise, b.promise]);
    open.add('30', [c.promise]);
    expect(await open.save('reader', '35')).toBe(true);
    expect(kept.place).toBe('10');
    await c.done();
    await a.done();
    await open.save('reader', '36');
    expect(kept.place).toBe('10');
    await b.done();
    // Saved without another call: a reader at the head of a quiet log does not call again.
    expect(kept.place).toBe('36');
  });

  it('moves up to the last slice before the first open one', async () => {
    const [a, b] = [work(), work()];
    open.add('20', [a.promise]);
    open.add('30', [b.promise]);
    await a.done();
    await open.save('reader', '35');
    expect(kept.place).toBe('20');
  });

  it('never passes failed work until its slice is read again', async () => {
    const cut = work();
    open.add('20', [cut.promise]);
    await cut.fail();
    open.add('30', []);
    await open.save('reader', '35');
    expect(kept.place).toBe('10');
    expect(await open.load('reader')).toBe('10');
    await open.save('reader', '35');
    expect(kept.place).toBe('35');
  });

  it('is not saved before the first slice is done if there was no checkpoint', async () => {
    kept.place = undefined;
    await open.load('reader');
    open.add('5', [work().promise]);
    expect(await open.save('reader', '6')).toBe(true);
    expect(kept.place).toBeUndefined();
  });
});
