import { readFileSync } from 'node:fs';
import { EventStoreUnavailable, NO_STREAM } from '@ponte/event-sourcing';
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
});
