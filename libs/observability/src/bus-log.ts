import type { MessageBus } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Logger } from 'pino';

/**
 * The bus, with a line of the log at level debug for whatever this process carried out or handled. Payloads are not
 * looked at.
 */
export function logBus(bus: MessageBus, logger: Logger): MessageBus {
  if (!logger.isLevelEnabled('debug')) return bus;
  return {
    request: (definition, payload, context) => bus.request(definition, payload, context),
    handle: (pattern, handler) =>
      bus.handle(pattern, (payload, context) =>
        handler(payload, context).finally(() => {
          logger.debug({ ...logged(context), pattern }, 'a request was carried out');
        }),
      ),
    consume: (options) =>
      bus.consume({
        ...options,
        consume: async (event) => {
          await options.consume(event);
          const { id, stream, type, meta } = event;
          logger.debug({ ...logged(meta), group: options.group, event: id, stream, type }, 'an event was handled');
        },
      }),
    start: () => bus.start(),
    stop: () => bus.stop(),
  };
}
