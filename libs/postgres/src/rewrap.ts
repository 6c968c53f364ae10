import { rewrapped } from '@ponte/personal-data';
import type { KeyRing } from '@ponte/personal-data';
import { KEYS_SCHEMA } from './migrate';
import type { Postgres } from './postgres';

interface Rewrapped {
  readonly rewrapped: number;
  /** Number of keys that already were under the current master key. */
  readonly current: number;
}

const ROWS = 500;
const PEPPER = 'pepper';
const MASTER = 'master-key';

/**
 * Encrypts every subject's key, and the pepper, again under the current master key of the ring. Each row is updated
 * separately, and only if it is unchanged since it was read, so a subject erased meanwhile stays erased. It may be
 * interrupted anywhere and repeated. The database is bound to the current key only at the end, so the previous one must
 * be configured until then.
 */
export async function rewrapPostgresKeys(postgres: Postgres, ring: KeyRing, schema = KEYS_SCHEMA): Promise<Rewrapped> {
  let [changed, current] = [0, 0];
  for (let after = ''; ;) {
    const rows = await postgres.query<{ subject: string; wrapped: Buffer | null }>(
      `SELECT subject, wrapped FROM ${schema}.person_keys WHERE subject > $1 ORDER BY subject LIMIT ${ROWS}`,
      [after],
    );
    for (const { subject, wrapped } of rows) {
      after = subject;
      const again = wrapped && (await rewrapped(ring, wrapped, subject));
      if (again) {
        await postgres.query(`UPDATE ${schema}.person_keys SET wrapped = $1 WHERE subject = $2 AND wrapped = $3`, [
          again,
          subject,
          wrapped,
        ]);
        changed += 1;
      } else if (wrapped) current += 1;
    }
    if (rows.length < ROWS) break;
  }
  const store = `${schema}.key_store`;
  const [pepper] = await postgres.query<{ value: Buffer }>(`SELECT value FROM ${store} WHERE name = $1`, [PEPPER]);
  const again = pepper && (await rewrapped(ring, pepper.value, PEPPER));
  if (again)
    await postgres.query(`UPDATE ${store} SET value = $1 WHERE name = $2 AND value = $3`, [
      again,
      PEPPER,
      pepper.value,
    ]);
  await postgres.query(`UPDATE ${store} SET value = $1 WHERE name = $2`, [
    Buffer.from(ring.fingerprint, 'utf8'),
    MASTER,
  ]);
  return { rewrapped: changed, current };
}
