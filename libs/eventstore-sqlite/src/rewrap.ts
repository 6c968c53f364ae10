import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { keyRing, rewrapped, localMasterKey, existingSecret, secretFile } from '@ponte/personal-data';
import type { SqliteDatabase } from './database';
import { openDatabase } from './database';

const CURRENT = 'master.key';
const NEXT = 'master.next.key';
const PREVIOUS = 'master.previous.key';

/**
 * Replaces the master key of a data folder and encrypts every subject's key again under the new one. Nothing else may
 * run on the folder. All keys change in one transaction, which also records their master key; the files are renamed
 * afterwards, and {@link settleMasterKey} completes that after a crash. Returns the number of changed keys. The
 * previous key stays as `master.previous.key`, since backups of the keys may need it.
 */
export async function rewrapSqliteKeys(directory: string): Promise<number> {
  const db = openDatabase(join(directory, 'keys.db'), '', { durability: 'full' });
  try {
    settleMasterKey(db, directory);
    const master = localMasterKey(secretFile(join(directory, CURRENT), true));
    const ring = keyRing(localMasterKey(secretFile(join(directory, NEXT), false)), [master]);
    const rows = db.prepare('SELECT subject, wrapped FROM person_keys WHERE wrapped IS NOT NULL').all() as {
      subject: string;
      wrapped: Buffer;
    }[];
    const changes = await Promise.all(
      rows.map(async ({ subject, wrapped }) => ({
        subject,
        wrapped: await rewrapped(ring, Buffer.from(wrapped), subject),
      })),
    );
    const update = db.prepare('UPDATE person_keys SET wrapped = ? WHERE subject = ? AND wrapped IS NOT NULL');
    db.exec('PRAGMA secure_delete = ON');
    db.exec('BEGIN IMMEDIATE');
    for (const { subject, wrapped } of changes) if (wrapped) update.run(wrapped, subject);
    db.prepare("UPDATE key_store SET value = ? WHERE name = 'master-key'").run(ring.fingerprint);
    db.exec('COMMIT');
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    settleMasterKey(db, directory);
    return changes.length;
  } finally {
    db.close();
  }
}

/** Completes the renaming after a crash: the key store records which master key its keys are under. */
export function settleMasterKey(db: SqliteDatabase, directory: string): void {
  const next = existingSecret(join(directory, NEXT));
  const bound = db.prepare("SELECT value FROM key_store WHERE name = 'master-key'").get() as
    { value: string } | undefined;
  if (!next || !bound || localMasterKey(next).fingerprint !== bound.value) return;
  const current = existingSecret(join(directory, CURRENT));
  if (current && localMasterKey(current).fingerprint !== bound.value)
    renameSync(join(directory, CURRENT), join(directory, PREVIOUS));
  renameSync(join(directory, NEXT), join(directory, CURRENT));
}
