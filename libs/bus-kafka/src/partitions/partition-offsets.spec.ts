import { MemoryEventStore, eventsOf, freshId } from '@ponte/testing';
import { NO_STREAM } from '@ponte/event-sourcing';
import type { PartitionOffset } from './partition-offsets';
import { clampedToLog } from './partition-offsets';

const offsetAt = (position?: string): PartitionOffset => ({ offset: 3n, position });
const logger = () => ({ warn: jest.fn(), error: jest.fn(), info: jest.fn() });

async function logOf(count: number): Promise<MemoryEventStore> {
  const log = new MemoryEventStore();
  if (count > 0)
    await log.append('thing-1', NO_STREAM, eventsOf(freshId(), ...Array.from({ length: count }, () => ({}))));
  return log;
}

test('positions within the log, unknown ones and those of other programs stay as they are', async () => {
  const log = await logOf(2);
  const offsets = new Map([
    ['a', offsetAt(await log.head())],
    ['b', offsetAt()],
    ['c', offsetAt('not a position')],
  ]);
  const logged = logger();
  expect(await clampedToLog(log, logged, 'g', offsets)).toEqual(offsets);
  expect(logged.error).not.toHaveBeenCalled();
});

test('a position beyond the end of the log becomes that end, and this is logged as an error', async () => {
  const log = await logOf(2);
  const head = await log.head();
  const logged = logger();
  const offsets = new Map([
    ['a', offsetAt('1')],
    ['b', offsetAt('99')],
  ]);
  expect([...(await clampedToLog(log, logged, 'g', offsets)).values()]).toEqual([offsetAt('1'), offsetAt(head)]);
  expect(logged.error).toHaveBeenCalledWith(
    { group: 'g', position: '99', end: head },
    expect.stringContaining('the committed position of a group is beyond the end of the log'),
  );
});

test('nothing is known of what was read before an empty log', async () => {
  expect([...(await clampedToLog(await logOf(0), logger(), 'g', new Map([['a', offsetAt('1')]]))).values()]).toEqual([
    offsetAt(),
  ]);
});

test('the positions stay as they are while the log does not answer', async () => {
  const log = await logOf(1);
  jest.spyOn(log, 'head').mockRejectedValue(new Error('no leader'));
  const logged = logger();
  const offsets = new Map([['a', offsetAt('99')]]);
  expect(await clampedToLog(log, logged, 'g', offsets, 0)).toEqual(offsets);
  expect(logged.warn).toHaveBeenCalled();
});
