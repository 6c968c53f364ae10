import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openSqliteEventStore } from '@ponte/eventstore-sqlite';
import type { EventToAppend } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { temporaryFolder } from '@ponte/testing';
import Database from 'libsql';
import { median } from './load/load';
import type { Row } from './report';

const ROUNDS = 3;
const CALLERS = [1, 16, 256] as const;
const APPENDS: Readonly<Record<(typeof CALLERS)[number], number>> = { 1: 400, 16: 6_000, 256: 20_000 };
const ALONE = 400;
const MIN_GAIN = 10;

/** An event of about 400 bytes, the size of an order's events. */
const sample = (id: string): EventToAppend => ({
  id,
  type: 'Sampled',
  version: 1,
  data: { text: 'x'.repeat(160), amount: '12.50' },
  meta: { commandId: id, index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: id },
});

/**
 * Measures durable appends with group commit, configured as in the cluster, and as a reference one transaction per
 * append on the same kind of file.
 */
export async function benchAppends(): Promise<Row[]> {
  const grouped = new Map<number, number[]>(CALLERS.map((callers) => [callers, []]));
  const alone: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await inFolder((folder) => transactionEach(join(folder, 'alone.db'))));
    for (const callers of CALLERS)
      grouped.get(callers)?.push(await inFolder((folder) => groupCommit(join(folder, 'events.db'), callers)));
  }
  const reference = median(alone);
  return CALLERS.map((callers) => {
    const value = median(grouped.get(callers) ?? []);
    const row = {
      name: `durable appends/s, ${callers} callers`,
      value,
      reference,
      referenceName: 'a transaction each',
    };
    return callers === 256 ? { ...row, target: `at least ${MIN_GAIN}x`, met: value >= MIN_GAIN * reference } : row;
  });
}

async function groupCommit(file: string, callers: (typeof CALLERS)[number]): Promise<number> {
  const store = openSqliteEventStore({ file, writes: 'thread' });
  const count = APPENDS[callers];
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let at = next++; at < count; at = next++)
        await store.append(`sample-${at}`, NO_STREAM, [sample(`event-${at}`)]);
    }),
  );
  const elapsed = performance.now() - began;
  await store.close();
  return (count * 1000) / elapsed;
}

function transactionEach(file: string): number {
  const db = new Database(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec(
    'CREATE TABLE events (position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL, body TEXT NOT NULL)',
  );
  db.exec('CREATE UNIQUE INDEX events_of_stream ON events (stream, revision)');
  const insert = db.prepare('INSERT INTO events (stream, revision, body) VALUES (?, ?, ?)');
  const began = performance.now();
  for (let at = 0; at < ALONE; at += 1) insert.run(`sample-${at}`, 0, JSON.stringify(sample(`event-${at}`)));
  const elapsed = performance.now() - began;
  db.close();
  return (ALONE * 1000) / elapsed;
}

async function inFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = temporaryFolder();
  try {
    return await work(folder.path);
  } finally {
    folder.remove();
  }
}
