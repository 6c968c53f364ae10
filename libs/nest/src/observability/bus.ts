import type { ConsumerOptions, MessageBus, RequestContext, RequestDefinition, RequestHandler } from '@ponte/event-sourcing';
import { Refusal, Unavailable } from '@ponte/kernel';
import type { Delays } from './delays';
import type { Counted, Metrics, Observed } from './metrics';

/** The bus, with what it carries out and hands over timed. Payloads are not looked at. */
export function withMetrics(bus: MessageBus, metrics: Metrics, delays: Delays): MessageBus {
  const unanswered = new Map<string, Counted>();
  return {
    request: <P, R>(definition: RequestDefinition<P, R>, payload: P, context: RequestContext): Promise<R> => {
      const answer = bus.request(definition, payload, context);
      // The caller gets the rejection; this only listens.
      answer.catch((error: unknown) => { if (error instanceof Unavailable) series(unanswered, definition.pattern, () => metrics.counter('ponte_unanswered_calls_total', { pattern: definition.pattern })).inc(); });
      return answer;
    },
    handle: (pattern, handler) => bus.handle(pattern, timedHandler(pattern, handler, metrics)),
    consume: (options) => bus.consume({ ...options, consume: timedConsumer(options, metrics, delays) }),
    start: () => bus.start(),
    stop: () => bus.stop(),
  };
}

function series<T>(known: Map<string, T>, name: string, make: () => T): T {
  const one = known.get(name) ?? make();
  known.set(name, one);
  return one;
}

const outcomeOf = (error: unknown): string => (error instanceof Refusal ? 'refused' : error instanceof Unavailable ? 'unavailable' : 'failed');

function timedHandler(pattern: string, handler: RequestHandler, metrics: Metrics): RequestHandler {
  const done = metrics.histogram('ponte_message_seconds', { pattern, outcome: 'done' });
  return (payload, context) => {
    const began = performance.now();
    const answer = handler(payload, context);
    // The caller gets the answer itself; this only listens, and so costs it no turn.
    answer.then(
      () => done.observe((performance.now() - began) / 1000),
      (error: unknown) => metrics.histogram('ponte_message_seconds', { pattern, outcome: outcomeOf(error) }).observe((performance.now() - began) / 1000),
    );
    return answer;
  };
}

function timedConsumer({ group, service, consume }: ConsumerOptions, metrics: Metrics, delays: Delays): ConsumerOptions['consume'] {
  const times = (outcome: string): Observed => metrics.histogram('ponte_event_handling_seconds', { group, source: service, outcome });
  const [done, failed] = [times('done'), times('failed')];
  const delay = delays.of(`${group}/${service}`);
  return async (event) => {
    const began = performance.now();
    try {
      await consume(event);
      done.observe((performance.now() - began) / 1000);
      delay.finished(event.meta.occurredAt);
    } catch (error) {
      failed.observe((performance.now() - began) / 1000);
      throw error;
    }
  };
}
