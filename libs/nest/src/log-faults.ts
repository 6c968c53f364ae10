import type { EventStoreDbStore, StoreFault } from '@ponte/engines';
import type { OperatorState } from '@ponte/event-sourcing';
import type { Observability } from './observability/observability';

/** The verb by which an operator has readers of a service pass over an event that this system did not write. */
export const LOG_SKIP = 'log skip';

const KINDS: readonly StoreFault['kind'][] = ['foreign-event', 'position', 'access'];

/** Whether an operator of this service has decided so. */
export const skippedBy =
  (operator: Pick<OperatorState, 'actions'>) =>
  async (stream: string, revision: string): Promise<boolean> =>
    (await operator.actions.carriedOut(LOG_SKIP)).some(
      ({ subject }) => subject['stream'] === stream && subject['revision'] === revision,
    );

/** While a reader of the log is stopped, the process is not ready, and a metric says why. */
export function reportLogFaults(
  store: Pick<EventStoreDbStore, 'faults'>,
  { metrics, readiness }: Pick<Observability, 'metrics' | 'readiness'>,
): void {
  readiness.hinderedBy(() => (store.faults().length > 0 ? 'a reader of the log is stopped' : undefined));
  metrics.measure('ponte_event_store_faults', async () =>
    KINDS.map((kind) => ({ labels: { kind }, value: store.faults().filter((fault) => fault.kind === kind).length })),
  );
}
