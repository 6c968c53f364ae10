import * as contracts from '@ponte/contracts';
import type { ConsumerOptions, MessageBus, ParkedEvents, RequestHandler } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';
import { Refusal, Unavailable } from '@ponte/kernel';
import type { Delays } from './delays';
import { measureParked } from './kafka';
import type { Metrics, Observed } from './metrics';

/** The patterns of all requests. An alert on the first call without a response needs the counter to exist before. */
const PATTERNS: readonly string[] = Object.values(contracts).flatMap((one: unknown) =>
  typeof one === 'object' && one !== null && 'pattern' in one && typeof one.pattern === 'string' ? [one.pattern] : [],
);

/** Metrics for the requests that a bus handles, its delivered events and its parked events; payloads are ignored. */
export const busMetrics =
  (
    parkedEvents: Pick<ParkedEvents, 'counts'>,
    metrics: Metrics,
    systemNow: () => number,
    delays: Delays,
  ): Decorator<MessageBus> =>
  (bus) => {
    const consuming = new Set<string>();
    measureParked(parkedEvents, metrics, systemNow, consuming);
    for (const pattern of PATTERNS) metrics.counter('ponte_unanswered_calls_total', { pattern });
    return {
      request: (definition, payload, context) =>
        bus.request(definition, payload, context).catch((error: unknown) => {
          if (error instanceof Unavailable)
            metrics.counter('ponte_unanswered_calls_total', { pattern: definition.pattern }).inc();
          throw error;
        }),
      handle: (pattern, handler) => bus.handle(pattern, timedHandler(pattern, handler, metrics)),
      consume: (options) => {
        consuming.add(options.group);
        bus.consume({ ...options, consume: timedConsumer(options, metrics, delays) });
      },
    };
  };

const outcomeOf = (error: unknown): string =>
  error instanceof Refusal ? 'refused' : error instanceof Unavailable ? 'unavailable' : 'failed';

function timedHandler(pattern: string, handler: RequestHandler, metrics: Metrics): RequestHandler {
  const done = metrics.histogram('ponte_message_seconds', { pattern, outcome: 'done' });
  metrics.histogram('ponte_message_seconds', { pattern, outcome: 'failed' });
  return async (payload, context) => {
    const began = performance.now();
    const seconds = (): number => (performance.now() - began) / 1000;
    try {
      const answer = await handler(payload, context);
      done.observe(seconds());
      return answer;
    } catch (error) {
      metrics.histogram('ponte_message_seconds', { pattern, outcome: outcomeOf(error) }).observe(seconds());
      throw error;
    }
  };
}

function timedConsumer(
  { group, service, consume }: ConsumerOptions,
  metrics: Metrics,
  delays: Delays,
): ConsumerOptions['consume'] {
  const times = (outcome: string): Observed =>
    metrics.histogram('ponte_event_handling_seconds', { group, source: service, outcome });
  const [done, failed] = [times('done'), times('failed')];
  const reader = `${group}/${service}`;
  const [delay, waiting] = [delays.ofConsumer(reader), delays.waitingFor(reader)];
  return async (event) => {
    const began = performance.now();
    waiting.begin(event.id, began);
    try {
      await consume(event);
      done.observe((performance.now() - began) / 1000);
      delay.finished(event.meta.occurredAt);
      waiting.done(event.id, performance.now());
    } catch (error) {
      waiting.failed(event.id, performance.now());
      failed.observe((performance.now() - began) / 1000);
      throw error;
    }
  };
}
