import type { Checkpoints, Lease, OperatorState, ParkedEvents } from '@ponte/event-sourcing';
import type { QueryExecutorProvider } from 'kysely';
import { createCheckpoints } from './checkpoints';
import { createOperatorState } from './operator-state';
import type { RunTransaction } from './parked-events';
import { createParkedEvents } from './parked-events';

/** The state of the readers of the log: checkpoints, parked events and leases, and the operators' view of it. */
export interface ReaderState {
  readonly checkpoints: Checkpoints;
  readonly parkedEvents: ParkedEvents;
  readonly lease: Lease;
  readonly operator: OperatorState;
  /** Releases the leases. */
  close(): Promise<void>;
}

/** The readers' tables, for SQLite and PostgreSQL. Adapters may repeat a statement whose answer was lost. */
export const createReaderTables = (
  db: QueryExecutorProvider,
  transaction: RunTransaction,
): Omit<ReaderState, 'lease' | 'close'> => ({
  checkpoints: createCheckpoints(db),
  parkedEvents: createParkedEvents(db, transaction),
  operator: createOperatorState(db),
});
