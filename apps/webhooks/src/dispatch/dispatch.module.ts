import type { Provider } from '@nestjs/common';
import { instrument } from '@ponte/kernel';
import { LOGGER, METRICS, RUNTIME, TRACING } from '@ponte/nest';
import type { Runtime } from '@ponte/nest';
import type { Metrics, Tracing } from '@ponte/observability';
import type { Logger } from 'pino';
import { targetRules } from '../endpoints/target.domain';
import { resolvedAddresses } from '../outgoing-http/adapters/resolve';
import { undiciHttp } from '../outgoing-http/adapters/undici';
import type { OutgoingHttp } from '../outgoing-http/outgoing-http.port';
import { OUTGOING_HTTP, TARGET_ADDRESSES } from '../outgoing-http/outgoing-http.port';
import { Attempts } from './attempt';
import { Deliveries } from './deliveries';
import { DeliveryQueues } from './delivery-queues.read-model';
import { Dispatcher } from './dispatcher';
import { countingAttempts, DueDeliveryMetrics } from './metrics';
import { Partners } from './limits/partners';
import { Sending, SignedRequests } from './sending';
import { loggingAttempts, tracingAttempts } from './traced-http';

/** The providers that send deliveries: the HTTP client, the delivery streams and the dispatcher. */
export const DISPATCH_PROVIDERS: Provider[] = [
  { provide: TARGET_ADDRESSES, useFactory: () => resolvedAddresses() },
  {
    provide: OUTGOING_HTTP,
    useFactory: ({ environment }: Runtime, metrics: Metrics, tracing: Tracing, logger: Logger): OutgoingHttp =>
      instrument(undiciHttp({ rules: targetRules(environment) }), [
        countingAttempts(metrics),
        loggingAttempts(logger),
        tracingAttempts(tracing),
      ]),
    inject: [RUNTIME, METRICS, TRACING, LOGGER],
  },
  SignedRequests,
  Sending,
  Deliveries,
  DeliveryQueues,
  DueDeliveryMetrics,
  Attempts,
  Partners,
  Dispatcher,
];
