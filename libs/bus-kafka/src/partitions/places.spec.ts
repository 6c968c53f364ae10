import { MemoryEventStore, eventsOf, freshId } from '@ponte/testing';
import { NO_STREAM } from '@ponte/event-sourcing';
import type { Place } from './places';
import { withinLog } from './places';

const place = (position?: string): Place => ({ offset: 3n, position });
const logger = () => ({ warn: jest.fn(), error: jest.fn(), info: jest.fn() });

async function logOf(count: number): Promise<MemoryEventStore> {
  const log = new MemoryEventStore();
  if (count > 0)
    await log.append('thing-1', NO_STREAM, eventsOf(freshId(), ...Array.from({ length: count }, () => ({}))));
  return log;
}

test('positions within the log, unknown ones and those of other programs stay as they are', async () => {
  const log = await logOf(2);
  const places = new Map([
    ['a', place(await log.head())],
    ['b', place()],
    ['c', place('not a position')],
  ]);
  const said = logger();
  expect(await withinLog(log, said, 'g', places)).toEqual(places);
  expect(said.error).not.toHaveBeenCalled();
});

test('a position beyond the end of the log becomes that end, and this is logged as an error', async () => {
  const log = await logOf(2);
  const head = await log.head();
  const said = logger();
  const places = new Map([
    ['a', place('1')],
    ['b', place('99')],
  ]);
  expect([...(await withinLog(log, said, 'g', places)).values()]).toEqual([place('1'), place(head)]);
  expect(said.error).toHaveBeenCalledWith(
    { group: 'g', position: '99', end: head },
    expect.stringContaining('a group has read further than the log reaches'),
  );
});

test('nothing is known of what was read before an empty log', async () => {
  expect([...(await withinLog(await logOf(0), logger(), 'g', new Map([['a', place('1')]]))).values()]).toEqual([
    place(),
  ]);
});

test('the positions stay as they are while the log does not answer', async () => {
  const log = await logOf(1);
  jest.spyOn(log, 'head').mockRejectedValue(new Error('no leader'));
  const said = logger();
  const places = new Map([['a', place('99')]]);
  expect(await withinLog(log, said, 'g', places, 0)).toEqual(places);
  expect(said.warn).toHaveBeenCalled();
});
