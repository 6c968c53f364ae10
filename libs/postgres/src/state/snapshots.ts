import type { Snapshot, Snapshots } from '@ponte/event-sourcing';
import { migrate } from '../migrations';
import type { Postgres, Run } from '../postgres';
import { SNAPSHOT_TABLES } from '../tables';

/** One statement, so that a snapshot is never read together with the parts of another. */
const LOAD = `
  SELECT revision, shape, body, NULL AS digest, NULL::bytea AS bytes FROM snapshots WHERE stream = $1
  UNION ALL SELECT NULL, NULL, NULL, digest, bytes FROM snapshot_parts WHERE stream = $1`;
const SAVE = `
  INSERT INTO snapshots (stream, revision, shape, body) VALUES ($1, $2, $3, $4)
  ON CONFLICT (stream) DO UPDATE SET revision = excluded.revision, shape = excluded.shape, body = excluded.body
  WHERE excluded.revision > snapshots.revision OR excluded.shape <> snapshots.shape
  RETURNING stream`;

interface Row {
  readonly revision: number | string | null;
  readonly shape: number | null;
  readonly body: string | null;
  readonly digest: string | null;
  readonly bytes: Buffer | null;
}

/** Snapshots in the schema of the service. A save locks the row of its stream, so replicas save one after the other. */
export async function openPostgresSnapshots(postgres: Postgres): Promise<Snapshots> {
  await migrate(postgres, postgres.options.schema, SNAPSHOT_TABLES);
  return {
    async load(stream) {
      const rows = await postgres.query<Row>(LOAD, [stream]);
      const found = rows.find(({ body }) => body !== null);
      if (!found) return undefined;
      const parts = new Map(
        rows.flatMap(({ digest, bytes }) => (digest === null || bytes === null ? [] : [[digest, bytes] as const])),
      );
      return { stream, revision: Number(found.revision), shape: Number(found.shape), body: found.body ?? '', parts };
    },
    save: (snapshot) => postgres.transaction((run) => replace(run, snapshot)),
    async clear() {
      await postgres.query('WITH parts AS (DELETE FROM snapshot_parts) DELETE FROM snapshots');
    },
  };
}

async function replace(run: Run, { stream, revision, shape, body, parts }: Snapshot): Promise<void> {
  if ((await run(SAVE, [stream, revision, shape, body])).length === 0) return;
  const digests = [...parts.keys()];
  await run('DELETE FROM snapshot_parts WHERE stream = $1 AND NOT digest = ANY($2)', [stream, digests]);
  const stored = new Set(
    (await run<{ digest: string }>('SELECT digest FROM snapshot_parts WHERE stream = $1', [stream])).map(
      ({ digest }) => digest,
    ),
  );
  for (const [digest, bytes] of parts) {
    if (stored.has(digest)) continue;
    await run('INSERT INTO snapshot_parts (stream, digest, bytes) VALUES ($1, $2, $3)', [
      stream,
      digest,
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    ]);
  }
}
