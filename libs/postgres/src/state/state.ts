import type { Checkpoints, Lease, OperatorState, ParkedEvents } from '@ponte/event-sourcing';
import { postgresCheckpoints } from './checkpoints';
import type { LeaseTimes } from './leases';
import { PostgresLeases } from './leases';
import { migrate } from '../migrations';
import { postgresOperatorState } from './operator-state';
import { postgresParkedEvents } from './parked-events';
import type { Postgres } from '../postgres';
import { ENGINE_TABLES } from '../tables';

export interface PostgresState {
  readonly checkpoints: Checkpoints;
  readonly parkedEvents: ParkedEvents;
  readonly lease: Lease;
  readonly operator: OperatorState;
  /** Gives the leases back. The connections stay open; their owner closes them. */
  close(): Promise<void>;
}

/**
 * What readers of the log keep: places, parked events, leases. Leases are renewed on a connection that nothing else
 * uses.
 */
export async function openPostgresState(
  postgres: Postgres,
  times?: LeaseTimes,
  instance?: string,
): Promise<PostgresState> {
  await migrate(postgres, postgres.options.schema, ENGINE_TABLES);
  const apart = postgres.dedicated(1);
  const lease = new PostgresLeases(apart, times, instance);
  return {
    checkpoints: postgresCheckpoints(postgres),
    parkedEvents: postgresParkedEvents(postgres),
    lease,
    operator: postgresOperatorState(postgres),
    close: async () => {
      await lease.close();
      await apart.close();
    },
  };
}
