import type { EventStore, LogSubscription } from '@ponte/event-sourcing';
import type { Decorator } from '@ponte/kernel';
import type { BackgroundThrottle } from './background-throttle';

/**
 * The store as projectors see it. While callers wait, each slice is delayed, so that its work is done for many events
 * at once and after the callers. Subscriptions without a name are not delayed: they invalidate caches, for example of a
 * revoked key.
 */
export const throttledReaders =
  (throttle: BackgroundThrottle): Decorator<EventStore> =>
  (store) => ({
    subscribe: (filter) =>
      filter?.reader === undefined ? store.subscribe(filter) : throttledSubscription(store.subscribe(filter), throttle),
  });

const throttledSubscription = (subscription: LogSubscription, throttle: BackgroundThrottle): LogSubscription => ({
  async *[Symbol.asyncIterator]() {
    for await (const slice of subscription) {
      if (slice.events.length > 0) await throttle.linger();
      yield slice;
    }
  },
  close: () => subscription.close(),
});
