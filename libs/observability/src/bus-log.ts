import type { MessageBus } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';
import type { Logger } from 'pino';

/** Logs, at level debug, each request and each event that this process handled. Payloads are not logged. */
export const busLog =
  (logger: Logger): Decorator<MessageBus> =>
  (bus) => {
    if (!logger.isLevelEnabled('debug')) return undefined;
    return {
      handle: (pattern, handler) =>
        bus.handle(pattern, (payload, context) =>
          handler(payload, context).finally(() => {
            logger.debug({ ...logged(context), pattern }, 'a request was handled');
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
    };
  };
