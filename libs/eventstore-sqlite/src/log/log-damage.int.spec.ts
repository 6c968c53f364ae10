import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventToAppend } from '@ponte/event-sourcing';
import { EventStoreUnavailable, NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, temporaryFolder } from '@ponte/testing';
import Database from 'libsql';
import { assertOneCheckpointer, openDatabase } from '../database';
import type { SqliteEventStore } from '../event-store';
import { checkSqliteLog, openSqliteEventStore } from '../event-store';
import { EventLogDamaged } from './log-damage';

const PAGE_BYTES = 4_096;
let folder: ReturnType<typeof temporaryFolder>;
let file: string;
let opened: SqliteEventStore[];
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder.path, 'events.db');
  opened = [];
});
afterEach(async () => {
  for (const store of opened) await store.close().catch(() => undefined);
  folder.remove();
});

function open(path = file, more: { maxBytes?: number; writes?: 'thread' | 'inline' } = {}): SqliteEventStore {
  const store = openSqliteEventStore({ file: path, durability: 'off', ...more });
  opened.push(store);
  return store;
}

const events = (count: number): EventToAppend[] => Array.from({ length: count }, () => anEvent()[0] as EventToAppend);

/** So many streams with so many events each. */
async function filled(streams: number, each: number, store = open()): Promise<SqliteEventStore> {
  for (let at = 0; at < streams; at += 1) await store.append(`order-${at}`, NO_STREAM, events(each));
  return store;
}

/** The data directory as it lies there, while its process goes on. */
function copied(): string {
  const copy = join(folder.path, 'copy.db');
  for (const name of readdirSync(folder.path).filter(
    (one) => one.startsWith('events.db') && !/lock|owner|shm/.test(one),
  )) {
    copyFileSync(join(folder.path, name), join(folder.path, name.replace('events.db', 'copy.db')));
  }
  return copy;
}

function refusal(path = file): EventLogDamaged {
  try {
    open(path);
  } catch (error) {
    if (error instanceof EventLogDamaged) return error;
    throw error;
  }
  throw new Error('the log was opened');
}

/** Changes the file behind the log's back. */
function change(sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

function overwrite(path: string, at: number, bytes: number): void {
  const content = readFileSync(path);
  content.fill(0xa5, at, at + bytes);
  writeFileSync(path, content);
}

describe('a log that is not what was acknowledged is not opened', () => {
  it('a write-ahead log that was cut off, wherever', async () => {
    await filled(20, 1);
    const whole = statSync(copied().concat('-wal')).size;
    for (const part of [0.9, 0.5, 0.1, 0]) {
      const copy = copied();
      truncateSync(`${copy}-wal`, Math.floor(whole * part));
      expect(() => open(copy)).toThrow(
        /copy\.db.* is damaged: .*(acknowledged|no such table|malformed|not a database).*backup/s,
      );
    }
    await expect(open(copied()).head()).resolves.toBe('20');
  });

  it('a write-ahead log with a damaged place in its middle; what was found is kept', async () => {
    await filled(20, 1);
    const copy = copied();
    overwrite(`${copy}-wal`, Math.floor(statSync(`${copy}-wal`).size * 0.6), 8);
    const found = readFileSync(`${copy}-wal`);
    const { message, file: named } = refusal(copy);
    expect(named).toBe(copy);
    expect(message).toMatch(/ends at position \d+, but events up to position 20 were acknowledged/);
    expect(readFileSync(`${copy}-wal.damaged`).equals(found)).toBe(true);
  });

  it('a database file that was cut off, or in which a page was overwritten', async () => {
    await (await filled(500, 2)).close();
    const whole = readFileSync(file);
    truncateSync(file, Math.floor(whole.length / PAGE_BYTES / 2) * PAGE_BYTES);
    expect(refusal().message).toContain(file);
    for (const page of [1, 3, 40]) {
      writeFileSync(file, whole);
      overwrite(file, page * PAGE_BYTES, PAGE_BYTES);
      expect(refusal().message).toContain(file);
    }
    writeFileSync(file, Buffer.alloc(whole.length));
    expect(refusal().message).toContain(file);
  });

  it('an event that is missing, at the end of its stream or in its middle', async () => {
    await (await filled(5, 3)).close();
    change('DELETE FROM events WHERE position = 5');
    expect(refusal().damage).toBe('1 of 15 events are missing in its middle');
    change("INSERT INTO events SELECT 5, 'other-1', 0, body FROM events WHERE position = 4");
    expect(refusal().damage).toBe('stream order-1 has 2 events, but stands at revision 2');
  });

  it('an event that was changed, behind the last stored checksum or before it', async () => {
    await (await filled(25, 100)).close();
    for (const position of [1_500, 2_400]) {
      change(`UPDATE events SET body = replace(body, '"type"', '"Type"') WHERE position = ${position}`);
      expect(refusal().damage).toMatch(/^an event between positions \d+ and \d+ is not the one that was written/);
      change(`UPDATE events SET body = replace(body, '"Type"', '"type"') WHERE position = ${position}`);
      await open().close();
    }
  });

  it.each(['thread', 'inline'] as const)('stores a checksum for every thousand events, written %s', async (writes) => {
    const store = await filled(24, 100, open(file, { writes }));
    await store.append('order-24', NO_STREAM, events(1));
    await store.close();
    const db = new Database(file);
    expect(
      (db.prepare('SELECT position FROM log_checksums').all() as { position: number }[]).map(
        ({ position }) => position,
      ),
    ).toEqual([0, 1_000, 2_000]);
    db.close();
    expect((await checkSqliteLog(file)).faults).toEqual([]);
  });

  it('goes on with a log of an earlier release, and with one whose mark is old', async () => {
    await (await filled(3, 100)).close();
    const mark = readFileSync(`${file}.head`);
    change('DROP TABLE log_checksums; DROP TABLE log_probe');
    await (await open()).close();
    writeFileSync(`${file}.head`, mark);
    const store = open();
    await store.append('more-1', NO_STREAM, events(1_200));
    await store.close();
    writeFileSync(`${file}.head`, mark);
    expect(await open().head()).toBe('1500');
  });
});

describe('the whole log can be checked', () => {
  it('in the process that has it open', async () => {
    const store = await filled(12, 100);
    expect(await store.check()).toEqual({ events: 1_200, streams: 12, faults: [] });
  });

  it('when it cannot be opened: everything that is damaged is listed', async () => {
    await (await filled(30, 100)).close();
    change(`UPDATE events SET body = replace(body, '"type"', '"Type"') WHERE position = 7`);
    change('DELETE FROM events WHERE position = 2005');
    change("UPDATE events SET body = 'no JSON' WHERE position = 2900");
    expect((await checkSqliteLog(file)).faults).toEqual([
      'an event between positions 1 and 1000 is not the one that was written (checksum)',
      'positions 2005 to 2005 are missing',
      'stream order-20 has revision 5 at position 2006, where 4 belongs',
      'the event at position 2900 cannot be read',
      'an event between positions 2001 and 3000 is not the one that was written (checksum)',
    ]);
  });

  it('a page that cannot be read is one of the faults', async () => {
    await (await filled(500, 2)).close();
    overwrite(file, 40 * PAGE_BYTES, PAGE_BYTES);
    expect((await checkSqliteLog(file)).faults.length).toBeGreaterThan(0);
  });
});

describe('while the process runs', () => {
  it('a damaged page stops the writes and not the process, and is reported', async () => {
    await (await filled(130, 100)).close();
    const store = open();
    await store.append('before-1', NO_STREAM, events(1));
    await expect(store.writable()).resolves.toBeUndefined();
    // Of the first events: they lie before all that the start looked at, so they are not in memory.
    const content = readFileSync(file);
    const at = content.indexOf('order-1');
    overwrite(file, Math.floor(content.indexOf('{"id"', at) / PAGE_BYTES) * PAGE_BYTES, PAGE_BYTES);
    const reads = await Promise.allSettled(Array.from({ length: 5 }, (_, stream) => store.read(`order-${stream}`)));
    expect(reads.some(({ status }) => status === 'rejected')).toBe(true);
    await expect(store.append('after-1', NO_STREAM, events(1))).rejects.toThrow(EventStoreUnavailable);
    await expect(store.writable()).rejects.toThrow(/the event log is damaged and takes no more events.*log check/);
    expect(await store.read('before-1')).toHaveLength(1);
    expect(await store.read('order-129')).toHaveLength(100);
  });

  it('B11: a full disk refuses appends, still serves reads, and is reported until there is space', async () => {
    const store = open(file, { maxBytes: 60 * PAGE_BYTES });
    let kept = 0;
    const fill = async (): Promise<void> => {
      for (; ; kept += 1) await store.append(`order-${kept}`, NO_STREAM, events(20));
    };
    await expect(fill()).rejects.toThrow(EventStoreUnavailable);
    await expect(store.writable()).rejects.toThrow('the event log cannot be written: the disk is full');
    expect(await store.read(`order-${kept}`)).toEqual([]);
    expect(await store.read('order-0')).toHaveLength(20);
  });

  it('B11: a disk that gets full while nothing is appended is found by asking', async () => {
    const store = open(file, { maxBytes: 12 * PAGE_BYTES });
    await expect(store.writable()).rejects.toThrow('the event log cannot be written: the disk is full');
  });
});

describe('the WAL-reset bug of SQLite before 3.51.3', () => {
  it('a connection beside the writer that could checkpoint or write is refused', () => {
    const db = openDatabase(file, '', { durability: 'off' });
    expect(() => assertOneCheckpointer(file, db)).toThrow(/one connection that writes and checkpoints/);
    db.exec('PRAGMA wal_autocheckpoint = 0');
    expect(() => assertOneCheckpointer(file, db)).toThrow(/one connection that writes and checkpoints/);
    db.exec('PRAGMA query_only = ON');
    expect(() => assertOneCheckpointer(file, db)).not.toThrow();
    db.close();
  });

  it('the reading connection of a store that writes in a thread passes', async () => {
    const store = await filled(1, 1, open(file, { writes: 'thread' }));
    await store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  });
});
