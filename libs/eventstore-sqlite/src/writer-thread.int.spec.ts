import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { openDatabase } from './database';
import type { Outcome } from './transactions';
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

const INSERT = 'INSERT INTO numbers (number) VALUES (?)';
const TIMES = 'INSERT INTO numbers (number) SELECT number * ? FROM numbers';
const start = (pragmas: readonly string[] = [], apart = false, at = file): WriterThread =>
  (thread = startWriterThread({ file: at, pragmas, apart }));
const UNIQUE = { message: expect.stringContaining('UNIQUE'), code: 'SQLITE_CONSTRAINT_UNIQUE' };
const write = (steps: Parameters<WriterThread['write']>[0]): Promise<Outcome | undefined> =>
  new Promise((resolve) => {
    thread?.write(steps, resolve);
  });

test('each list of steps is one transaction: done completely and in order or not at all, without affecting the next one', async () => {
  const db = openDatabase(file, 'CREATE TABLE numbers (number INTEGER UNIQUE NOT NULL)', { durability: 'off' });
  const numbers = () =>
    db
      .prepare('SELECT number FROM numbers ORDER BY rowid')
      .all()
      .map((row) => (row as { number: number }).number);
  start();
  const outcomes = await Promise.all([
    write([
      [INSERT, [1]],
      [INSERT, [2]],
      [TIMES, [10]],
    ]),
    write([
      [INSERT, [3]],
      [INSERT, [1]],
    ]),
    write([[INSERT, [4]]]),
  ]);
  expect(outcomes).toEqual([[1, 1, 2], { ...UNIQUE, committing: false, stuck: false }, [1]]);
  expect(numbers()).toEqual([1, 2, 10, 20, 4]);
  db.close();
});

test('if the steps of a transaction belong to several callers, a refused step does not affect the others', async () => {
  const db = openDatabase(file, 'CREATE TABLE numbers (number INTEGER UNIQUE NOT NULL)', { durability: 'off' });
  start([], true);
  expect(
    await write([
      [INSERT, [1]],
      [INSERT, [1]],
      ['UPDATE nothing SET number = 1', []],
      [INSERT, [2]],
    ]),
  ).toEqual([1, UNIQUE, { message: expect.stringContaining('nothing'), code: 'SQLITE_ERROR' }, 1]);
  expect(db.prepare('SELECT count(*) AS count FROM numbers').get()).toMatchObject({ count: 2 });
  db.close();
});

test('any number of different statements is executed correctly, even after one that cannot be sent to the thread', async () => {
  const db = openDatabase(file, 'CREATE TABLE numbers (number INTEGER)', { durability: 'off' });
  start();
  const texts = Array.from({ length: 1_200 }, (_, at) => `INSERT INTO numbers (number) VALUES (${at} + ?)`);
  for (let at = 0; at < texts.length; at += 400) await write(texts.slice(at, at + 400).map((text) => [text, [10_000]]));
  expect(() => thread?.write([[texts[7] ?? '', [() => undefined]]], () => undefined)).toThrow('could not be cloned');
  expect(await write([3, 900, 3, 1_100].map((at) => [texts[at] ?? '', [20_000]]))).toEqual([1, 1, 1, 1]);
  const numbers = db
    .prepare('SELECT number FROM numbers ORDER BY rowid')
    .all()
    .map((row) => (row as { number: number }).number);
  expect(numbers).toEqual([...texts.map((_, at) => 10_000 + at), 20_003, 20_900, 20_003, 21_100]);
  db.close();
});

test('pending transactions are written and answered when it is closed', async () => {
  const db = openDatabase(file, 'CREATE TABLE numbers (number INTEGER)', { durability: 'off' });
  const one = start();
  const writing = write([[INSERT, [1]]]);
  await one.close();
  expect(await writing).toEqual([1]);
  expect(db.prepare('SELECT count(*) AS count FROM numbers').get()).toMatchObject({ count: 1 });
  db.close();
});

test.each([
  ['a file that cannot be opened', () => start([], false, join(folder.path, 'nowhere', 'numbers.db'))],
  ['an invalid pragma', () => start(['NONSENSE'])],
])(
  'a thread that fails because of %s: pending and later transactions get the outcome of a failed commit',
  async (_, begin) => {
    begin();
    const lost = {
      message: expect.stringContaining('the writer thread failed'),
      code: '',
      committing: true,
      stuck: false,
    };
    expect(await Promise.all([write([[INSERT, [1]]]), write([[INSERT, [2]]])])).toEqual([lost, lost]);
    expect(await write([[INSERT, [3]]])).toEqual(lost);
  },
);
