import type { KafkaMessage } from 'kafkajs';
import { PartitionWork } from './partition-work';
import type { PublishedLog } from './published-log';

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

  test('does not commit the position of an event that the log does not have', () => {
    const log = { comparePositions: (a: string, b: string) => Number(a) - Number(b) } as PublishedLog;
    const work = new PartitionWork('t', 0, undefined, log);
    const [logged, undone] = ['0', '1'].map((offset) => work.take({ offset } as KafkaMessage, () => undefined));
    logged?.notePosition('7');
    undone?.notePosition('9');
    undone?.forgetPosition();
    for (const taken of [logged, undone]) taken?.done();
    expect(work.positionBefore(work.due() ?? '')).toBe('7');
  });

  test('pauses it when too many messages are unfinished, without counting those that may wait for messages behind them', () => {
    const work = new PartitionWork('t', 0);
    const limits = { unfinished: 4, ahead: 100 };
    const take = (at: number) => work.take({ offset: String(at) } as KafkaMessage, () => undefined);
    const waiting = Array.from({ length: 8 }, (_, at) => take(at));
    for (const taken of waiting) taken.exemptFromLimit();
    expect([work.unfinished, work.balance(limits)]).toEqual([8, undefined]);
    const others = Array.from({ length: 4 }, (_, at) => take(8 + at));
    expect(work.balance(limits)).toBe('pause');
    work.paused = true;
    for (const taken of others.slice(1)) taken.done();
    expect([work.unfinished, work.balance(limits)]).toEqual([9, 'resume']);
    for (const taken of waiting) taken.done();
    work.paused = false;
    expect([work.unfinished, work.balance({ ...limits, unfinished: 1 })]).toEqual([1, 'pause']);
  });

  test('has the same assignment as the work on the partition that it replaces', () => {
    const work = new PartitionWork('t', 0);
    const [other, again] = [new PartitionWork('t', 0), work.replacement()];
    const assignments = [other, again].map(
      (one) => one.take({ offset: '0' } as KafkaMessage, () => undefined).assignment,
    );
    const { assignment, isOurs } = work.take({ offset: '0' } as KafkaMessage, () => undefined);
    expect([...assignments.map((one) => one === assignment), isOurs()]).toEqual([false, true, false]);
  });
});
