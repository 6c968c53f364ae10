import { watchLog } from '@ponte/read-models';
import type { EventStore } from '@ponte/event-sourcing';
import { idOf } from '@ponte/event-sourcing';
import type { Logger } from 'pino';
import type { OutboxWatch } from './outbox-watch.port';

/** By the log itself: what is appended to an outbox is heard of by every process that watches. */
export const outboxWatch = (store: EventStore, logger: Logger): OutboxWatch => ({
  watch: (tell) =>
    watchLog({
      store,
      logger,
      name: 'gateway-event-streams',
      categories: ['outbox'],
      tell: ({ stream }) => tell(idOf(stream)),
    }),
});
