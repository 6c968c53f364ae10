import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreUnavailable, NO_STREAM } from '@ponte/event-sourcing';
import { freshId, openSmallDisk, sayEngine } from '@ponte/testing';
import { openSqliteEventStore } from '../event-store';
import { PAGE_BYTES, file, open, events, filled, overwrite, useLogOnDisk } from './log-on-disk.testing';

useLogOnDisk();

describe('the log of a running process', () => {
  it('accepts no writes after a damaged page was found, which is reported; the process continues', async () => {
    await (await filled(130, 100)).close();
    const store = open();
    await store.append('before-1', NO_STREAM, events(1));
    await expect(store.writable()).resolves.toBeUndefined();
    // A page with the first events, which are not checked at the start and are not in memory.
    const content = readFileSync(file);
    const at = content.indexOf('order-1');
    overwrite(file, Math.floor(content.indexOf('{"id"', at) / PAGE_BYTES) * PAGE_BYTES, PAGE_BYTES);
    const reads = await Promise.allSettled(Array.from({ length: 5 }, (_, stream) => store.read(`order-${stream}`)));
    expect(reads.some(({ status }) => status === 'rejected')).toBe(true);
    await expect(store.append('after-1', NO_STREAM, events(1))).rejects.toThrow(EventStoreUnavailable);
    await expect(store.writable()).rejects.toThrow(/the event log is damaged and accepts no more events.*log check/);
    expect(await store.read('before-1')).toHaveLength(1);
    expect(await store.read('order-129')).toHaveLength(100);
  });

  it('refuses appends while the disk is full and reports that, but can be read', async () => {
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

  it('detects a full disk without appends when `writable` is called', async () => {
    const store = open(file, { maxBytes: 12 * PAGE_BYTES });
    await expect(store.writable()).rejects.toThrow('the event log cannot be written: the disk is full');
  });

  it('refuses appends while its disk really is full, can be read, and continues when there is space', async () => {
    const disk = openSmallDisk(2 ** 20);
    sayEngine('event log on a full disk', disk ? 'a disk in memory' : 'nothing: mounting a disk is not permitted');
    if (!disk) return;
    const path = join(disk.path, 'events.db');
    const store = openSqliteEventStore({ file: path });
    const acknowledged: string[] = [];
    const append = async (): Promise<void> => {
      const stream = `order-${freshId()}`;
      await store.append(stream, NO_STREAM, events(5));
      acknowledged.push(stream);
    };
    await append();
    disk.fill();
    await expect(
      (async () => {
        for (;;) await append();
      })(),
    ).rejects.toThrow(EventStoreUnavailable);
    await expect(append()).rejects.toThrow(EventStoreUnavailable);
    await expect(store.writable()).rejects.toThrow('the event log cannot be written');
    expect(await store.read(acknowledged[0] as string)).toHaveLength(5);
    disk.free();
    await append();
    await expect(store.writable()).resolves.toBeUndefined();
    await store.close();
    const again = openSqliteEventStore({ file: path });
    for (const stream of acknowledged) expect(await again.read(stream)).toHaveLength(5);
    expect((await again.newest({ categories: ['order'], limit: 1_000 })).length).toBe(5 * acknowledged.length);
    await again.close();
    disk.remove();
  });
});
