import { watchLog } from '@ponte/read-models';
import type { EventStore } from '@ponte/event-sourcing';
import { idOf } from '@ponte/event-sourcing';
import type { Logger } from 'pino';
import type { OutboxWatch } from './outbox-watch.port';

/** Watches the log itself, so every watching process is notified of each append to an outbox. */
export const outboxWatch = (store: EventStore, logger: Logger): OutboxWatch => ({
  watch: (notify) =>
    watchLog({
      store,
      logger,
      name: 'gateway-event-streams',
      categories: ['outbox'],
      notify: ({ stream }) => notify(idOf(stream)),
    }),
});
