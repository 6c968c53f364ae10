import type { Checkpoints, Lease, OperatorState, ParkedEvents } from '@ponte/event-sourcing';
import type { QueryExecutorProvider } from 'kysely';
import { createCheckpoints } from './checkpoints';
import { createOperatorState } from './operator-state';
import { createParkedEvents } from './parked-events';

/** What readers of the log keep: places, parked events, leases; and what operators see of it. */
export interface ReaderState {
  readonly checkpoints: Checkpoints;
  readonly parkedEvents: ParkedEvents;
  readonly lease: Lease;
  readonly operator: OperatorState;
  /** Gives the leases back. */
  close(): Promise<void>;
}

/**
 * The tables of readers, of either dialect. Every statement may be carried out twice: an adapter repeats those whose
 * answer was lost.
 */
export const createReaderTables = (db: QueryExecutorProvider): Omit<ReaderState, 'lease' | 'close'> => ({
  checkpoints: createCheckpoints(db),
  parkedEvents: createParkedEvents(db),
  operator: createOperatorState(db),
});
