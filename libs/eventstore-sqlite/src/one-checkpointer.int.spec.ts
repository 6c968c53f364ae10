import { existsSync } from 'node:fs';
import { assertOneCheckpointer, openDatabase } from './database';
import { file, open, filled, useLogOnDisk } from './log/log-on-disk.testing';

useLogOnDisk();

describe('the guard against the WAL-reset bug of SQLite before 3.51.3', () => {
  it('refuses a connection besides the writer that could checkpoint or write', () => {
    const db = openDatabase(file, '', { durability: 'off' });
    expect(() => assertOneCheckpointer(file, db)).toThrow(/only one connection to write and checkpoint/);
    db.exec('PRAGMA wal_autocheckpoint = 0');
    expect(() => assertOneCheckpointer(file, db)).toThrow(/only one connection to write and checkpoint/);
    db.exec('PRAGMA query_only = ON');
    expect(() => assertOneCheckpointer(file, db)).not.toThrow();
    db.close();
  });

  it('accepts the reading connection of a store that writes in a thread', async () => {
    const store = await filled(1, 1, open(file, { writes: 'thread' }));
    await store.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
  });
});
