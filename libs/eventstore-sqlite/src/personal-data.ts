import { join } from 'node:path';
import type { PersonalData } from '@ponte/event-sourcing';
import type { MasterKey, PersonKeys } from '@ponte/personal-data';
import { localMasterKey, createPersonalData, secretFile } from '@ponte/personal-data';
import type { SqliteDatabase } from './database';
import { openDatabase } from './database';
import { settleMasterKey } from './rewrap';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS person_keys (subject TEXT PRIMARY KEY, wrapped BLOB) STRICT;
  CREATE TABLE IF NOT EXISTS key_store (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
`;

interface SqlitePersonalDataOptions {
  /** Contains `keys.db`, `pepper.key` and, unless a master key is given, `master.key`. */
  readonly directory: string;
  readonly masterKey?: MasterKey;
  readonly durability?: 'full' | 'off';
}

export interface SqlitePersonalData extends PersonalData {
  close(): Promise<void>;
}

/** Opens the keys of subjects in `keys.db`, encrypted by a master key that is stored separately. */
export function openSqlitePersonalData(options: SqlitePersonalDataOptions): SqlitePersonalData {
  const db = openDatabase(join(options.directory, 'keys.db'), SCHEMA, { durability: options.durability ?? 'full' });
  try {
    // Erased keys are overwritten, not only unlinked from their page.
    db.exec('PRAGMA secure_delete = ON');
    settleMasterKey(db, options.directory);
    const used = setting(db, 'master-key') !== undefined;
    const pepper = secretFile(join(options.directory, 'pepper.key'), used);
    const master = options.masterKey ?? localMasterKey(secretFile(join(options.directory, 'master.key'), used));
    bindTo(db, master);
    const data = createPersonalData(personKeys(db), master, pepper);
    return {
      ...data,
      close: async () => {
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

const setting = (db: SqliteDatabase, name: string): string | undefined =>
  (db.prepare('SELECT value FROM key_store WHERE name = ?').get(name) as { value: string } | undefined)?.value;

/** Binds the key store to one master key. With another one, it would create keys that the first cannot decrypt. */
function bindTo(db: SqliteDatabase, master: MasterKey): void {
  db.prepare('INSERT INTO key_store (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING').run(
    'master-key',
    master.fingerprint,
  );
  if (setting(db, 'master-key') !== master.fingerprint) throw new Error('keys.db was created with another master key');
}

interface NewKey {
  readonly subject: string;
  readonly wrapped: Buffer;
  stored(): void;
  failed(error: unknown): void;
}

/**
 * Keys that are added in one turn of the event loop are stored in one transaction, because each commit waits for the
 * disk. While 64 callers withdrew to Pix keys of other people, single commits took 15 % of the main thread's time.
 */
function personKeys(db: SqliteDatabase): PersonKeys {
  const find = db.prepare('SELECT wrapped FROM person_keys WHERE subject = ?');
  const add = db.prepare('INSERT INTO person_keys (subject, wrapped) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const erase = db.prepare(
    'INSERT INTO person_keys (subject, wrapped) VALUES (?, NULL) ON CONFLICT DO UPDATE SET wrapped = NULL',
  );
  const addAll = db.transaction((keys: readonly NewKey[]) => {
    for (const { subject, wrapped } of keys) add.run(subject, wrapped);
  });
  let waiting: NewKey[] = [];
  const commit = (): void => {
    const keys = waiting;
    waiting = [];
    try {
      addAll(keys);
    } catch (error) {
      for (const key of keys) key.failed(error);
      return;
    }
    for (const key of keys) key.stored();
  };
  return {
    async find(subject) {
      const row = find.get(subject) as { wrapped: Buffer | null } | undefined;
      return row && (row.wrapped === null ? null : Buffer.from(row.wrapped));
    },
    add: (subject, wrapped) =>
      new Promise((stored, failed) => {
        if (waiting.length === 0) setImmediate(commit);
        waiting.push({ subject, wrapped, stored, failed });
      }),
    async erase(subject) {
      erase.run(subject);
      // The write-ahead log still contains the page with the key: checkpoint and truncate it.
      db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    },
  };
}
