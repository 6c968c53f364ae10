import { existsSync } from 'node:fs';
import { assertOneCheckpointer, openDatabase } from './database';
import { file, open, filled } from './log/log-on-disk.testing';

describe('the WAL-reset bug of SQLite before 3.51.3', () => {
  it('a connection beside the writer that could checkpoint or write is refused', () => {
    const db = openDatabase(file, '', { durability: 'off' });
    expect(() => assertOneCheckpointer(file, db)).toThrow(/only one connection to write and checkpoint/);
    db.exec('PRAGMA wal_autocheckpoint = 0');
    expect(() => assertOneCheckpointer(file, db)).toThrow(/only one connection to write and checkpoint/);
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
