import type { ReaderState } from '@ponte/read-models';
import { createReaderTables } from '@ponte/read-models';
import type { LeaseTimes } from './leases';
import { PostgresLeases } from './leases';
import { migrate } from '../migrations';
import type { Postgres } from '../postgres';
import { ENGINE_TABLES } from '../tables';
import { repeatedStatements, repeatedTransaction } from './statements';

/**
 * The state of the readers of the log, in the schema of the service. Leases are renewed on a separate connection.
 * Closing leaves the other connections open.
 */
export async function openPostgresState(
  postgres: Postgres,
  times?: LeaseTimes,
  instance?: string,
): Promise<ReaderState> {
  await migrate(postgres, postgres.options.schema, ENGINE_TABLES);
  const apart = postgres.dedicated(1);
  const lease = new PostgresLeases(apart, times, instance);
  return {
    ...createReaderTables(repeatedStatements(postgres), (work) => repeatedTransaction(postgres, work)),
    lease,
    close: async () => {
      await lease.close();
      await apart.close();
    },
  };
}
