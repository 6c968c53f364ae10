import type { Provider } from '@nestjs/common';
import { instrument } from '@ponte/kernel';
import { LOGGER, RUNTIME, TRACING } from '@ponte/nest';
import type { Runtime } from '@ponte/nest';
import type { Tracing } from '@ponte/observability';
import type { Logger } from 'pino';
import { targetRules } from '../endpoints/target.domain';
import { resolvedAddresses } from '../outgoing-http/adapters/resolve';
import { undiciHttp } from '../outgoing-http/adapters/undici.outgoing-http.adapter';
import type { OutgoingHttp } from '../outgoing-http/outgoing-http.port';
import { OUTGOING_HTTP, TARGET_ADDRESSES } from '../outgoing-http/outgoing-http.port';
import { Attempts } from './attempt.service';
import { Deliveries } from './deliveries.service';
import { DeliveryQueues } from './delivery-queues.read-model';
import { Dispatcher } from './dispatcher.service';
import { DueDeliveryMetrics } from './due-delivery.metrics';
import { Sending, SignedRequests } from './sending.service';

import { loggingAttempts, tracingAttempts } from '../outgoing-http/traced-http';
import { Partners } from './work-in-progress.service';

/** The providers that send deliveries: the HTTP client, the delivery streams and the dispatcher. */
export const DISPATCH_PROVIDERS: Provider[] = [
  { provide: TARGET_ADDRESSES, useFactory: () => resolvedAddresses() },
  {
    provide: OUTGOING_HTTP,
    useFactory: ({ environment }: Runtime, tracing: Tracing, logger: Logger): OutgoingHttp =>
      instrument(undiciHttp({ rules: targetRules(environment) }), [loggingAttempts(logger), tracingAttempts(tracing)]),
    inject: [RUNTIME, TRACING, LOGGER],
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
