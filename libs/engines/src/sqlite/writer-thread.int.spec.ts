import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { openDatabase } from './database';
import type { WriteFailure } from './transactions';
import type { WriterThread } from './writer-thread';
import { startWriterThread } from './writer-thread';

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
let thread: WriterThread | undefined;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, 'numbers.db');
});
afterEach(async () => {
  await thread?.close();
  thread = undefined;
  folder.remove();
});

const STATEMENTS = ['INSERT INTO numbers (number) VALUES (?)', 'INSERT INTO numbers (number) SELECT number * ? FROM numbers'];
const start = (pragmas: readonly string[] = [], at = file): WriterThread => (thread = startWriterThread({ file: at, pragmas, statements: STATEMENTS }));
const write = (steps: Parameters<WriterThread['write']>[0]): Promise<WriteFailure | undefined> =>
  new Promise((resolve) => { thread?.write(steps, resolve); });

test('each list of steps is one transaction: whole and in order, or not at all, and the next one goes through', async () => {
  const db = openDatabase(file, 'CREATE TABLE numbers (number INTEGER UNIQUE NOT NULL)', { durability: 'off' });
  const numbers = () => db.prepare('SELECT number FROM numbers ORDER BY rowid').all().map((row) => (row as { number: number }).number);
  start();
  const outcomes = await Promise.all([write([[0, [1]], [0, [2]], [1, [10]]]), write([[0, [3]], [0, [1]]]), write([[0, [4]]])]);
  expect(outcomes).toEqual([undefined, { message: expect.stringContaining('UNIQUE'), code: 'SQLITE_CONSTRAINT_UNIQUE', committing: false, stuck: false }, undefined]);
  expect(numbers()).toEqual([1, 2, 10, 20, 4]);
  db.close();
});

test('what is under way when it is closed is written and answered', async () => {
  const db = openDatabase(file, 'CREATE TABLE numbers (number INTEGER)', { durability: 'off' });
  const one = start();
  const writing = write([[0, [1]]]);
  await one.close();
  expect(await writing).toBeUndefined();
  expect(db.prepare('SELECT count(*) AS count FROM numbers').get()).toMatchObject({ count: 1 });
  db.close();
});

test.each([
  ['a file that cannot be opened', () => start([], join(folder.path, 'nowhere', 'numbers.db'))],
  ['a table that is not there', () => start()],
])('a thread that fails by itself, for %s: nobody knows what became of what it was given, and it is said at once from then on', async (_, begin) => {
  begin();
  const lost = { message: expect.stringContaining('the thread that writes failed'), code: '', committing: true, stuck: false };
  expect(await Promise.all([write([[0, [1]]]), write([[0, [2]]])])).toEqual([lost, lost]);
  expect(await write([[0, [3]]])).toEqual(lost);
});
