import type { Snapshots } from '@ponte/event-sourcing';
import { loadSnapshot, saveSnapshot } from '@ponte/read-models';
import { migrate } from '../migrations';
import type { Postgres } from '../postgres';
import { SNAPSHOT_TABLES } from '../tables';
import { repeatedStatements, repeatedTransaction } from './statements';

/**
 * Snapshots in the schema of the service. A save locks the row of its stream, so concurrent saves of replicas run one
 * after the other.
 */
export async function openPostgresSnapshots(postgres: Postgres): Promise<Snapshots> {
  await migrate(postgres, postgres.options.schema, SNAPSHOT_TABLES);
  const db = repeatedStatements(postgres);
  return {
    load: (stream) => loadSnapshot(db, stream),
    save: (snapshot) => repeatedTransaction(postgres, (trx) => saveSnapshot(trx, snapshot)),
  };
}
