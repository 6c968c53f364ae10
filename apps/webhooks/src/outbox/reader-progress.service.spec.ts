import type { Checkpoints, Position } from '@ponte/event-sourcing';
import { CheckpointTracker, UndeliveredWatermark } from './reader-progress.service';

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
  let finish = (): void => undefined;
  let fail = (_error: Error): void => undefined;
  const promise = new Promise<void>((resolve, reject) => {
    [finish, fail] = [resolve, reject];
  });
  promise.catch(() => undefined);
  return {
    promise,
    done: () => {
      finish();
      return promise;
    },
    fail: () => {
      fail(new Error('cut off'));
      return promise.catch(() => undefined);
    },
  };
}

describe('a tracked checkpoint (interrupted work is repeated after a crash)', () => {
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
    await new Promise(setImmediate);
    expect(kept.place).toBe('36');
  });

  it('is not overwritten by a save that began earlier and takes longer', async () => {
    const slow = work();
    const save = jest.spyOn(kept, 'save').mockImplementationOnce(async (_reader, position) => {
      await slow.promise;
      kept.place = position;
      return true;
    });
    open.add('20', []);
    const saves = [open.save('reader', '20'), open.save('reader', '30')];
    await new Promise(setImmediate);
    expect(save).toHaveBeenCalledTimes(1);
    await slow.done();
    await Promise.all(saves);
    expect(kept.place).toBe('30');
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

  it('stays before the first slice that is incomplete until it is read again', async () => {
    const [before, after] = [work(), work()];
    open.add('20', [before.promise]);
    open.add('30', [], false);
    open.add('40', [after.promise]);
    await after.done();
    await open.save('reader', '45');
    expect(kept.place).toBe('10');
    await before.done();
    await open.save('reader', '50');
    expect(kept.place).toBe('20');
    expect(await open.load('reader')).toBe('20');
    await open.save('reader', '50');
    expect(kept.place).toBe('50');
  });

  it('keeps the trouble of earlier slices in view when the reader itself works', async () => {
    const trouble = jest.fn(async () => undefined);
    const tracker = new CheckpointTracker(Object.assign(kept, { trouble }), undefined, () => 'one account');
    await tracker.trouble('reader', 'the reader', 'now');
    await tracker.trouble('reader', null, 'now');
    expect(trouble.mock.calls).toEqual([
      ['reader', 'the reader', 'now'],
      ['reader', 'one account', 'now'],
    ]);
  });

  it('is not saved before the first slice is done if there was no checkpoint', async () => {
    kept.place = undefined;
    await open.load('reader');
    open.add('5', [work().promise]);
    expect(await open.save('reader', '6')).toBe(true);
    expect(kept.place).toBeUndefined();
  });
});

const at = (head: string | undefined) =>
  new UndeliveredWatermark({ head: async () => head, comparePositions: (a, b) => Number(a) - Number(b) });
const heard = async (undelivered: UndeliveredWatermark, ...positions: string[]) => {
  const is = await undelivered.in(positions);
  return positions.filter(is);
};

describe('events that cannot have been delivered yet', () => {
  it('were appended after reading began and are read for the first time', async () => {
    const undelivered = at('20');
    expect(await heard(undelivered, '10', '30')).toEqual([]);
    undelivered.begins();
    expect(await heard(undelivered, '10', '20', '30', '40', '40')).toEqual(['30', '40', '40']);
    expect(await heard(undelivered, '10', '20', '30', '40')).toEqual([]);
    expect(await heard(undelivered, '40', '50')).toEqual(['50']);
    undelivered.begins();
    expect(await heard(undelivered, '15')).toEqual([]);
    expect(await heard(undelivered, '20', '21')).toEqual(['21']);
  });

  it('are unknown when the end of the log cannot be read', async () => {
    const undelivered = new UndeliveredWatermark({
      head: () => Promise.reject(new Error('away')),
      comparePositions: () => 1,
    });
    undelivered.begins();
    expect(await heard(undelivered, '10')).toEqual([]);
    expect(await heard(undelivered, '20')).toEqual([]);
  });

  it('are all events of a log that was empty', async () => {
    const undelivered = at(undefined);
    undelivered.begins();
    expect(await heard(undelivered, '10', '20')).toEqual(['10', '20']);
    expect(await heard(undelivered, '20', '30')).toEqual(['30']);
  });
});
