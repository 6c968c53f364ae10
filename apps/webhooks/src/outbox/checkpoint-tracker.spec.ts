import type { Checkpoints, Position } from '@ponte/event-sourcing';
import { CheckpointTracker } from './checkpoint-tracker';

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

describe('a checkpoint with open work (reliability E5: what was under way at a crash is made again)', () => {
  let kept: Kept;
  let open: CheckpointTracker;
  beforeEach(async () => {
    kept = new Kept();
    kept.place = '10';
    open = new CheckpointTracker(kept);
    await open.load('reader');
  });

  it('is as any other while nothing is open', async () => {
    open.add('20', []);
    await open.save('reader', '25');
    expect(kept.place).toBe('25');
  });

  it('stays before the first slice whose work is open, in whatever order the work ends', async () => {
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
    // Kept by itself: a reader at the head of a quiet log does not ask again.
    expect(kept.place).toBe('36');
  });

  it('moves to the slice before the first that is open', async () => {
    const [a, b] = [work(), work()];
    open.add('20', [a.promise]);
    open.add('30', [b.promise]);
    await a.done();
    await open.save('reader', '35');
    expect(kept.place).toBe('20');
  });

  it('never passes work that was cut off, until it is read again', async () => {
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

  it('keeps nothing where there was nothing', async () => {
    kept.place = undefined;
    await open.load('reader');
    open.add('5', [work().promise]);
    expect(await open.save('reader', '6')).toBe(true);
    expect(kept.place).toBeUndefined();
  });
});
