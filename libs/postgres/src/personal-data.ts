import { randomBytes } from 'node:crypto';
import type { PersonalData } from '@ponte/event-sourcing';
import { SealBroken } from '@ponte/event-sourcing';
import type { KeyRing, MasterKey, PersonKeys } from '@ponte/personal-data';
import { keyRing, KEY_BYTES, createPersonalData } from '@ponte/personal-data';
import { KEYS_SCHEMA } from './migrate';
import { migrate } from './migrations';
import type { Postgres } from './postgres';
import { KEY_TABLES } from './tables';

interface PostgresPersonalDataOptions {
  /** The same for all processes, and stored apart from this database and its backups. A key ring during a rotation. */
  readonly masterKey: MasterKey | KeyRing;
  /** Shared by all services. */
  readonly schema?: string;
  /** How long another process can still decrypt erased data with its cached key, in milliseconds. */
  readonly erasedWithinMs?: number;
}

/** Erasures are rare and keys are needed all the time, so a key is cached for this long. */
const ERASED_WITHIN_MS = 5_000;
const PEPPER = 'pepper';
const MASTER = 'master-key';

/**
 * Keys of subjects for all processes, wrapped by a master key that is stored elsewhere. The pepper of fingerprints is
 * stored with them, wrapped too. An erased key is unavailable at once in this process and within five seconds in the
 * others. Its old row stays, wrapped, in the server's files until they are vacuumed, and in its log and backups until
 * they expire.
 */
export async function openPostgresPersonalData(
  postgres: Postgres,
  options: PostgresPersonalDataOptions,
): Promise<PersonalData> {
  const { masterKey, schema = KEYS_SCHEMA, erasedWithinMs = ERASED_WITHIN_MS } = options;
  await migrate(postgres, schema, KEY_TABLES);
  const settings = keyStore(postgres, schema);
  const fingerprint = await settings.kept(MASTER, async () => Buffer.from(masterKey.fingerprint, 'utf8'));
  if (!ringOf(masterKey).fingerprints.includes(fingerprint.toString('utf8')))
    throw new Error('the keys in this database were created with another master key');
  const pepper = await masterKey.unwrap(
    await settings.kept(PEPPER, () => masterKey.wrap(randomBytes(KEY_BYTES), PEPPER)),
    PEPPER,
  );
  if (pepper.length !== KEY_BYTES) throw new SealBroken();
  return createPersonalData(personKeys(postgres, schema), masterKey, pepper, { believedMs: erasedWithinMs });
}

const ringOf = (masterKey: MasterKey | KeyRing): KeyRing =>
  'fingerprints' in masterKey ? masterKey : keyRing(masterKey);

/** Values that the first process creates and all others read. */
function keyStore(postgres: Postgres, schema: string) {
  const find = async (name: string) =>
    (await postgres.query<{ value: Buffer }>(`SELECT value FROM ${schema}.key_store WHERE name = $1`, [name]))[0]
      ?.value;
  return {
    async kept(name: string, make: () => Promise<Buffer>): Promise<Buffer> {
      const found = await find(name);
      if (found) return found;
      await postgres.query(`INSERT INTO ${schema}.key_store (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
        name,
        await make(),
      ]);
      const made = await find(name);
      if (!made) throw new Error('the key store did not store a key');
      return made;
    },
  };
}

function personKeys(postgres: Postgres, schema: string): PersonKeys {
  const table = `${schema}.person_keys`;
  return {
    async find(subject) {
      const [row] = await postgres.query<{ wrapped: Buffer | null }>(
        `SELECT wrapped FROM ${table} WHERE subject = $1`,
        [subject],
      );
      return row?.wrapped;
    },
    async add(subject, wrapped) {
      await postgres.query(`INSERT INTO ${table} (subject, wrapped) VALUES ($1, $2) ON CONFLICT DO NOTHING`, [
        subject,
        wrapped,
      ]);
    },
    async erase(subject) {
      await postgres.query(
        `INSERT INTO ${table} (subject, wrapped) VALUES ($1, NULL) ON CONFLICT (subject) DO UPDATE SET wrapped = NULL`,
        [subject],
      );
    },
  };
}
