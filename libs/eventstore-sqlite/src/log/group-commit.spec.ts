import type { Appended } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent } from '@ponte/testing';
import type { Waiting } from './append-batch';
import { waiting } from './append-batch';
import type { Row } from './event-table';
import { GroupCommit } from './group-commit';
import type { Written } from '../writer-thread';

/** The written groups, controlled by the test: each waits until the test sets its outcome. */
let written: { readonly rows: readonly Row[]; readonly done: Written }[];
let table: Map<string, number>;
let heads: Map<string, number>;
let last: number;
let reported: string[];
let closed: boolean;
let groups: GroupCommit;

const headOf = (stream: string): number => heads.get(stream) ?? table.get(stream) ?? NO_STREAM;

beforeEach(() => {
  [written, table, heads, last, reported, closed] = [[], new Map(), new Map(), 0, [], false];
  groups = new GroupCommit({
    known: { head: () => last, headInMemory: (stream) => heads.get(stream), headOf, run: () => [] },
    writer: {
      write: (rows, done) => void written.push({ rows, done }),
      close: async () => {
        closed = true;
      },
    },
    kept: (batch) => {
      for (const [stream, head] of batch.heads) heads.set(stream, head);
      last += batch.rows.length;
    },
    answered: (batch) => void reported.push(`${batch.rows.length} to readers`),
    forget: () => heads.clear(),
  });
});

const append = (stream: string, expected: number): Promise<Appended | string> => {
  const answer = new Promise<Appended>((kept, failed) => {
    const made: Waiting = waiting(stream, expected, anEvent(), kept, failed);
    groups.add(made);
  });
  return answer.catch((error: Error) => error.name);
};
/** Waits for more turns of the event loop than a group waits for further appends. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
};
const failure = (code: string, committing: boolean, stuck = false) => ({
  message: 'as the test says',
  code,
  committing,
  stuck,
});
const streams = (): string[][] =>
  written.map(({ rows }) => rows.map(({ position, stream, revision }) => `${position} ${stream}@${revision}`));

test('one group is written at a time; appends that arrive meanwhile form the next one, which is checked after the first', async () => {
  const first = [append('a-1', NO_STREAM), append('a-2', NO_STREAM)];
  await turns();
  const next = [append('a-1', 0), append('a-2', NO_STREAM), append('a-3', NO_STREAM)];
  await turns();
  expect(streams()).toEqual([['1 a-1@0', '2 a-2@0']]);
  expect(reported).toEqual([]);
  written[0]?.done([]);
  expect(await Promise.all(first)).toEqual([
    { revision: 0, position: '1' },
    { revision: 0, position: '2' },
  ]);
  await turns();
  expect(streams()[1]).toEqual(['3 a-1@1', '4 a-3@0']);
  written[1]?.done([]);
  expect(await Promise.all(next)).toEqual([
    { revision: 1, position: '3' },
    'WrongExpectedRevision',
    { revision: 0, position: '4' },
  ]);
  expect(reported).toEqual(['2 to readers', '2 to readers']);
});

test('a failure before the commit, or a full disk at the commit, fails the group as unavailable, and the next group is written', async () => {
  for (const how of [failure('SQLITE_IOERR_WRITE', false), failure('SQLITE_FULL', true)]) {
    const refused = append('a-1', NO_STREAM);
    await turns();
    const later = append('a-1', NO_STREAM);
    written.at(-1)?.done(how);
    expect(await refused).toBe('EventStoreUnavailable');
    await turns();
    written.at(-1)?.done([]);
    expect(await later).toMatchObject({ revision: 0 });
    heads.clear();
  }
});

test.each([
  ['a commit that failed: its outcome is unknown', failure('SQLITE_IOERR_FSYNC', true), 'AppendOutcomeUnknown'],
  ['a failed write that could not be undone', failure('SQLITE_IOERR', false, true), 'EventStoreUnavailable'],
])('%s; waiting and later appends are refused', async (_, how, name) => {
  const first = append('a-1', NO_STREAM);
  await turns();
  const waited = append('a-2', NO_STREAM);
  written[0]?.done(how);
  expect([await first, await waited, await append('a-3', NO_STREAM)]).toEqual([
    name,
    'EventStoreUnavailable',
    'EventStoreUnavailable',
  ]);
  expect(written).toHaveLength(1);
});

test('creating a stream that exists in the file is refused alone, after the index has refused its group', async () => {
  table.set('a-1', 4);
  const group = [append('a-1', NO_STREAM), append('a-2', NO_STREAM)];
  await turns();
  const next = append('a-2', 0);
  expect(streams()).toEqual([['1 a-1@0', '2 a-2@0']]);
  written[0]?.done(failure('SQLITE_CONSTRAINT_UNIQUE', false));
  expect(streams()[1]).toEqual(['1 a-2@0']);
  expect(reported).toEqual([]);
  written[1]?.done([]);
  expect(await Promise.all(group)).toEqual(['WrongExpectedRevision', { revision: 0, position: '1' }]);
  await turns();
  written[2]?.done([]);
  expect(await next).toEqual({ revision: 1, position: '2' });
});

test('creating a stream whose head is in memory is refused without a write', async () => {
  heads.set('a-1', 4);
  expect(await append('a-1', NO_STREAM)).toBe('WrongExpectedRevision');
  expect(written).toEqual([]);
});

test('a group that the index refuses after a look-up of every stream is not written a third time', async () => {
  const group = append('a-1', NO_STREAM);
  await turns();
  written[0]?.done(failure('SQLITE_CONSTRAINT_UNIQUE', false));
  written[1]?.done(failure('SQLITE_CONSTRAINT_UNIQUE', false));
  expect(await group).toBe('EventStoreUnavailable');
  expect(written).toHaveLength(2);
});

test('a violated constraint fails the group once', async () => {
  const group = append('a-1', NO_STREAM);
  await turns();
  written[0]?.done(failure('SQLITE_CONSTRAINT_PRIMARYKEY', false));
  expect(await group).toBe('EventStoreUnavailable');
  expect(written).toHaveLength(1);
});

test('close writes and answers all pending appends, and then closes the writer', async () => {
  const first = append('a-1', NO_STREAM);
  await turns();
  const waited = append('a-2', NO_STREAM);
  const closing = groups.close();
  await turns();
  expect([written.length, closed]).toEqual([1, false]);
  written[0]?.done([]);
  await turns();
  expect([written.length, closed]).toEqual([2, false]);
  written[1]?.done([]);
  await closing;
  expect([await first, await waited, closed]).toEqual([
    { revision: 0, position: '1' },
    { revision: 0, position: '2' },
    true,
  ]);
});

test('if a stream cannot be looked up, the group is refused and the next one is written', async () => {
  const get = table.get;
  table.get = () => {
    throw new Error('the disk cannot be read');
  };
  expect(await append('a-1', 3)).toBe('EventStoreUnavailable');
  table.get = get;
  const next = append('a-2', NO_STREAM);
  await turns();
  written[0]?.done([]);
  expect(await next).toEqual({ revision: 0, position: '1' });
});
