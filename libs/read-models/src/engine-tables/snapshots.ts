import type { Snapshot } from '@ponte/event-sourcing';
import type { QueryExecutorProvider } from 'kysely';
import { sql } from 'kysely';

interface Row {
  readonly revision: number | null;
  readonly shape: number | null;
  readonly body: string | null;
  readonly digest: string | null;
  /** SQLite's driver returns a plain `ArrayBuffer`. */
  readonly bytes: ArrayBuffer | Uint8Array | null;
}

/** Uses one statement, so that a snapshot is never combined with the parts of another one. */
export async function loadSnapshot(db: QueryExecutorProvider, stream: string): Promise<Snapshot | undefined> {
  const { rows } = await sql<Row>`
    SELECT revision, shape, body, NULL AS digest, NULL AS bytes FROM snapshots WHERE stream = ${stream}
    UNION ALL SELECT NULL, NULL, NULL, digest, bytes FROM snapshot_parts WHERE stream = ${stream}`.execute(db);
  const found = rows.find(({ body }) => body !== null);
  if (!found) return undefined;
  const parts = new Map<string, Uint8Array>();
  for (const { digest, bytes } of rows)
    if (digest !== null && bytes !== null)
      parts.set(digest, bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes));
  return { stream, revision: Number(found.revision), shape: Number(found.shape), body: found.body ?? '', parts };
}

/** Replaces the stream's snapshot, unless the stored one has the same shape and a later revision. */
export async function saveSnapshot(trx: QueryExecutorProvider, snapshot: Snapshot): Promise<void> {
  const { stream, revision, shape, body, parts } = snapshot;
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO snapshots (stream, revision, shape, body) VALUES (${stream}, ${revision}, ${shape}, ${body})
    ON CONFLICT (stream) DO UPDATE SET revision = excluded.revision, shape = excluded.shape, body = excluded.body
    WHERE excluded.revision > snapshots.revision OR excluded.shape <> snapshots.shape`.execute(trx);
  if (numAffectedRows === 0n) return;
  const { rows } = await sql<{ digest: string }>`
    SELECT digest FROM snapshot_parts WHERE stream = ${stream}`.execute(trx);
  const stored = new Set(rows.map(({ digest }) => digest));
  for (const [digest, bytes] of parts) {
    if (stored.delete(digest)) continue;
    // This shares the memory of `bytes`; nothing is copied.
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    await sql`
      INSERT INTO snapshot_parts (stream, digest, bytes) VALUES (${stream}, ${digest}, ${view})`.execute(trx);
  }
  for (const digest of stored)
    await sql`DELETE FROM snapshot_parts WHERE stream = ${stream} AND digest = ${digest}`.execute(trx);
}
