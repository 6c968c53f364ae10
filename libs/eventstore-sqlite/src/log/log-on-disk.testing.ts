import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventToAppend } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, temporaryFolder } from '@ponte/testing';
import Database from 'libsql';
import type { SqliteEventStore } from './checked-event-store';
import { openSqliteEventStore } from '../event-store';
import { EventLogDamaged } from './log-damage';

export const PAGE_BYTES = 4_096;
let folder: ReturnType<typeof temporaryFolder>;
export let file: string;
let opened: SqliteEventStore[];
/** A new folder for each test of a file. The stores that it has opened are closed afterwards. */
export function useLogOnDisk(): void {
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'events.db');
    opened = [];
  });
  afterEach(async () => {
    for (const store of opened) await store.close().catch(() => undefined);
    folder.remove();
  });
}

export function open(path = file, more: { maxBytes?: number; writes?: 'thread' | 'inline' } = {}): SqliteEventStore {
  const store = openSqliteEventStore({ file: path, durability: 'off', ...more });
  opened.push(store);
  return store;
}

export const events = (count: number): EventToAppend[] =>
  Array.from({ length: count }, () => anEvent()[0] as EventToAppend);

/** Appends this number of streams with this number of events each. */
export async function filled(streams: number, each: number, store = open()): Promise<SqliteEventStore> {
  for (let at = 0; at < streams; at += 1) await store.append(`order-${at}`, NO_STREAM, events(each));
  return store;
}

/** A copy of the data folder, taken while its process continues. */
export function copied(): string {
  const copy = join(folder.path, 'copy.db');
  for (const name of readdirSync(folder.path).filter(
    (one) => one.startsWith('events.db') && !/lock|owner|shm/.test(one),
  )) {
    copyFileSync(join(folder.path, name), join(folder.path, name.replace('events.db', 'copy.db')));
  }
  return copy;
}

export function refusal(path = file): EventLogDamaged {
  try {
    open(path);
  } catch (error) {
    if (error instanceof EventLogDamaged) return error;
    throw error;
  }
  throw new Error('the log was opened');
}

/** Changes the file without the store. */
export function change(sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

export function overwrite(path: string, at: number, bytes: number): void {
  const content = readFileSync(path);
  content.fill(0xa5, at, at + bytes);
  writeFileSync(path, content);
}
