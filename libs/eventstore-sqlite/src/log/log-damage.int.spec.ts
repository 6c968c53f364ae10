import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { NO_STREAM } from '@ponte/event-sourcing';
import Database from 'libsql';
import { checkSqliteLog } from '../event-store';
import {
  PAGE_BYTES,
  file,
  open,
  events,
  filled,
  copied,
  refusal,
  change,
  overwrite,
  useLogOnDisk,
} from './log-on-disk.testing';

useLogOnDisk();

describe('the checksums and checks of a log', () => {
  it('refuse a write-ahead log that was cut off anywhere', async () => {
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

  it('refuse a write-ahead log that is damaged in its middle, and keep a copy of it', async () => {
    await filled(20, 1);
    const copy = copied();
    overwrite(`${copy}-wal`, Math.floor(statSync(`${copy}-wal`).size * 0.6), 8);
    const found = readFileSync(`${copy}-wal`);
    const { message, file: named } = refusal(copy);
    expect(named).toBe(copy);
    expect(message).toMatch(/ends at position \d+, but events up to position 20 were acknowledged/);
    expect(readFileSync(`${copy}-wal.damaged`).equals(found)).toBe(true);
  });

  it('refuse a database file that was cut off or in which a page was overwritten', async () => {
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

  it('detect a missing event, at the end of its stream or in its middle', async () => {
    await (await filled(5, 3)).close();
    change('DELETE FROM events WHERE position = 5');
    expect(refusal().damage).toBe('1 of 15 events are missing');
    change("INSERT INTO events SELECT 5, 'other-1', 0, body FROM events WHERE position = 4");
    expect(refusal().damage).toBe('stream order-1 has 2 events, but is at revision 2');
  });

  it('detect a changed event, after or before the last stored checksum', async () => {
    await (await filled(25, 100)).close();
    for (const position of [1_500, 2_400]) {
      change(`UPDATE events SET body = replace(body, '"type"', '"Type"') WHERE position = ${position}`);
      expect(refusal().damage).toMatch(/^an event between positions \d+ and \d+ was changed/);
      change(`UPDATE events SET body = replace(body, '"Type"', '"type"') WHERE position = ${position}`);
      await open().close();
    }
  });

  it.each(['thread', 'inline'] as const)('have a checksum for every thousand events, written %s', async (writes) => {
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

  it('accept a log of an earlier release, and one with an outdated mark', async () => {
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

describe('a check of the whole log', () => {
  it('works in the process that has it open', async () => {
    const store = await filled(12, 100);
    expect(await store.check()).toEqual({ events: 1_200, streams: 12, faults: [] });
  });

  it('lists all damage if the log cannot be opened', async () => {
    await (await filled(30, 100)).close();
    change(`UPDATE events SET body = replace(body, '"type"', '"Type"') WHERE position = 7`);
    change('DELETE FROM events WHERE position = 2005');
    change("UPDATE events SET body = 'no JSON' WHERE position = 2900");
    expect((await checkSqliteLog(file)).faults).toEqual([
      'an event between positions 1 and 1000 was changed (wrong checksum)',
      'positions 2005 to 2005 are missing',
      'stream order-20 has revision 5 at position 2006 instead of 4',
      'the event at position 2900 cannot be read',
      'an event between positions 2001 and 3000 was changed (wrong checksum)',
    ]);
  });

  it('reports a page that cannot be read as a fault', async () => {
    await (await filled(500, 2)).close();
    overwrite(file, 40 * PAGE_BYTES, PAGE_BYTES);
    expect((await checkSqliteLog(file)).faults.length).toBeGreaterThan(0);
  });
});
