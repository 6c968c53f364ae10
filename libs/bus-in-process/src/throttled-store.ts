import type { EventStore, LogSubscription } from '@ponte/event-sourcing';
import type { BackgroundThrottle } from './background-throttle';

/**
 * The store as projectors see it. While callers wait, each slice is delayed, so that its work is done for many events
 * at once and after the callers. Subscriptions without a name are not delayed: they invalidate caches, for example of a
 * revoked key.
 */
export const throttledStore = (store: EventStore, throttle: BackgroundThrottle): EventStore => ({
  soleWriter: store.soleWriter,
  append: (stream, expectedRevision, events) => store.append(stream, expectedRevision, events),
  read: (stream, options) => store.read(stream, options),
  subscribe: (filter) =>
    filter?.reader === undefined ? store.subscribe(filter) : throttledSubscription(store.subscribe(filter), throttle),
  newest: (options) => store.newest(options),
  head: () => store.head(),
  comparePositions: (a, b) => store.comparePositions(a, b),
  close: () => store.close(),
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
