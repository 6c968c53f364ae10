import { logged } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';
import type { Tracing } from '@ponte/observability';
import type { Logger } from 'pino';
import type { OutgoingHttp } from './outgoing-http.port';
import { isDelivered } from './outgoing-http.port';

/**
 * Creates a span for each attempt of a traced delivery. The span contains neither the URL nor the body. No trace
 * context is sent to the receiver; the `webhook-id` identifies the event on both sides.
 */
export const tracingAttempts = (tracing: Tracing): Decorator<OutgoingHttp> | undefined =>
  tracing.on
    ? (http) => ({
        post: async (request, origin) => {
          if (origin?.traceparent === undefined) return http.post(request, origin);
          const { deliveryId, endpointId, correlationId, attempt, traceparent: parent } = origin;
          const span = tracing.begin({
            name: 'POST webhook',
            kind: 'client',
            parent,
            attributes: {
              'http.request.method': 'POST',
              'http.request.resend_count': attempt - 1,
              'ponte.delivery.id': deliveryId,
              'ponte.webhook.endpoint.id': endpointId,
              'ponte.webhook.id': request.headers['webhook-id'] ?? '',
              'ponte.correlation.id': correlationId,
            },
          });
          const answer = await http.post(request, origin);
          if (answer.kind === 'failed') span.fail(answer.reason);
          else {
            span.set({ 'http.response.status_code': answer.status });
            if (!isDelivered(answer)) span.fail(String(answer.status));
          }
          span.end();
          return answer;
        },
      })
    : undefined;

/** Logs each attempt at level debug. */
export const loggingAttempts = (logger: Logger): Decorator<OutgoingHttp> | undefined =>
  logger.isLevelEnabled('debug')
    ? (http) => ({
        post: async (request, origin) => {
          const answer = await http.post(request, origin);
          const { deliveryId, endpointId, attempt } = origin ?? {};
          const outcome = answer.kind === 'failed' ? answer.reason : answer.status;
          const fields = { ...(origin ? logged(origin) : {}), deliveryId, endpointId, attempt, outcome };
          logger.debug(fields, 'a webhook was sent');
          return answer;
        },
      })
    : undefined;
