import type { EventStoreDbStore, StoreFault } from '@ponte/eventstore-eventstoredb';
import type { OperatorState } from '@ponte/event-sourcing';
import type { Observability } from '@ponte/observability';
import { LOG_SKIP } from '@ponte/operator';

const KINDS: readonly StoreFault['kind'][] = ['foreign-event', 'position', 'access'];

/** Returns a function that returns whether an operator of this service decided to skip an event. */
export const skippedBy =
  (operator: Pick<OperatorState, 'actions'>) =>
  async (stream: string, revision: string): Promise<boolean> =>
    (await operator.actions.succeeded(LOG_SKIP)).some(
      ({ subject }) => subject['stream'] === stream && subject['revision'] === revision,
    );

/** Makes the process not ready while a reader of the log has stopped, and reports the reason as a metric. */
export function reportLogFaults(
  store: Pick<EventStoreDbStore, 'faults'>,
  { metrics, readiness }: Pick<Observability, 'metrics' | 'readiness'>,
): void {
  readiness.addCheck(() => (store.faults().length > 0 ? 'a reader of the log has stopped' : undefined));
  metrics.measure('ponte_event_store_faults', async () =>
    KINDS.map((kind) => ({ labels: { kind }, value: store.faults().filter((fault) => fault.kind === kind).length })),
  );
}
