import type { Provider } from '@nestjs/common';
import { pause } from '@ponte/concurrency';
import { Aggregates } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { CLOCK, LOGGER, METRICS, RUNTIME, SYSTEM_CLOCK, TRACING, VIEWS } from '@ponte/nest';
import type { Runtime } from '@ponte/nest';
import type { Metrics, Tracing } from '@ponte/observability';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { DeliveriesView } from '../deliveries/deliveries.read-model';
import type { WebhooksSchema } from '../deliveries/deliveries.read-model';
import { targetRules } from '../endpoints/target.domain';
import { JournaledStore } from '../journal/journaled-store';
import { resolvedAddresses } from '../outgoing-http/adapters/resolve';
import { undiciHttp } from '../outgoing-http/adapters/undici';
import type { OutgoingHttp } from '../outgoing-http/outgoing-http.port';
import { OUTGOING_HTTP, TARGET_ADDRESSES } from '../webhooks-tokens.port';
import { AccountEndpoints } from './account-endpoints';
import { Attempts } from './attempt';
import { Deliveries } from './deliveries';
import { Dispatcher } from './dispatcher';
import { countingAttempts, measureDue } from './metrics';
import { Sending } from './sending';
import { loggingAttempts, tracingAttempts } from './traced-http';

/** Delivery streams kept in memory: what is under way, and what was a moment ago. */
const DELIVERIES_IN_MEMORY = 5_000;
/** First wait after a lost race for a delivery's stream; it grows with the attempts. */
const CONFLICT_PAUSE_MS = 5;

/** What sends a delivery: the HTTP client, the deliveries and the dispatcher. */
export const DISPATCH_PROVIDERS: Provider[] = [
  { provide: TARGET_ADDRESSES, useFactory: () => resolvedAddresses() },
  {
    provide: OUTGOING_HTTP,
    useFactory: (runtime: Runtime, metrics: Metrics, tracing: Tracing, logger: Logger): OutgoingHttp =>
      tracingAttempts(
        loggingAttempts(countingAttempts(undiciHttp({ rules: targetRules(runtime.environment) }), metrics), logger),
        tracing,
      ),
    inject: [RUNTIME, METRICS, TRACING, LOGGER],
  },
  {
    provide: Deliveries,
    useFactory: (aggregates: Aggregates, store: JournaledStore, clock: Clock) =>
      new Deliveries(
        aggregates.withOptions({
          store,
          capacity: DELIVERIES_IN_MEMORY,
          pause: (attempt) => pause(attempt * CONFLICT_PAUSE_MS),
        }),
        clock,
      ),
    inject: [Aggregates, JournaledStore, CLOCK],
  },
  {
    provide: AccountEndpoints,
    useFactory: (aggregates: Aggregates) => new AccountEndpoints(aggregates),
    inject: [Aggregates],
  },
  {
    provide: DeliveriesView,
    useFactory: (views: Kysely<unknown>, metrics: Metrics, clock: Clock) => {
      const view = new DeliveriesView(views as Kysely<WebhooksSchema>);
      measureDue(view, metrics, clock);
      return view;
    },
    inject: [VIEWS, METRICS, CLOCK],
  },
  {
    provide: Attempts,
    useFactory: (deliveries: Deliveries, endpoints: AccountEndpoints, sending: Sending, systemClock: Clock) =>
      new Attempts(deliveries, endpoints, sending, systemClock),
    inject: [Deliveries, AccountEndpoints, Sending, SYSTEM_CLOCK],
  },
  {
    provide: Dispatcher,
    useFactory: (
      attempts: Attempts,
      deliveries: Deliveries,
      due: DeliveriesView,
      http: OutgoingHttp,
      clock: Clock,
      logger: Logger,
    ) => new Dispatcher({ attempts, deliveries, due, http, clock, logger }),
    inject: [Attempts, Deliveries, DeliveriesView, OUTGOING_HTTP, CLOCK, LOGGER],
  },
];
