import { PartitionWork } from './partition-work';

describe('the work on a partition', () => {
  test('commits the lowest unfinished offset, whichever later messages are finished', () => {
    const work = new PartitionWork('t', 0);
    expect(work.due()).toBeUndefined();
    const ends = ['5', '6', '9'].map((offset) => work.begin(offset));
    ends[2]?.();
    ends[1]?.();
    expect(work.due()).toBeUndefined();
    ends[0]?.();
    expect([work.due(), work.unfinished]).toEqual(['10', 0]);
    work.wasCommitted('10');
    expect(work.due()).toBeUndefined();
    work.commitAgain();
    expect(work.due()).toBe('10');
    work.abandoned = true;
    expect(work.due()).toBeUndefined();
  });

  test('skips messages that it took before, and detects a recreated partition', () => {
    const work = new PartitionWork('t', 0);
    work.begin('8')();
    expect([work.isNew('7'), work.isNew('8'), work.isNew('9')]).toEqual([false, false, true]);
    expect([work.isAnother('9'), work.isAnother('8'), work.isAnother('3')]).toEqual([false, true, true]);
    work.end = 20n;
    expect(work.lag).toBe(11);
  });
});
