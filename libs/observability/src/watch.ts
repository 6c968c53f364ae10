import type { EventStore, Lease, MessageBus, ParkingLot } from '@ponte/event-sourcing';
import { withMetrics as busWithMetrics } from './bus';
import type { Delays } from './delays';
import { measureParked } from './kafka';
import { withMetrics as leaseWithMetrics } from './lease';
import type { Metrics } from './metrics';
import { withMetrics as storeWithMetrics } from './store';

export { KafkaCounts, relayCounts } from './kafka';

/** The engines of a process, each with its metrics around it: the adapters themselves know of none. */
export const watchStore = (store: EventStore, metrics: Metrics, systemNow: () => number, delays: Delays): EventStore =>
  storeWithMetrics(store, metrics, systemNow, delays);

export const watchLease = (lease: Lease, metrics: Metrics): Lease => leaseWithMetrics(lease, metrics);

export function watchBus(
  bus: MessageBus,
  parkingLot: ParkingLot,
  metrics: Metrics,
  systemNow: () => number,
  delays: Delays,
): MessageBus {
  const consuming = new Set<string>();
  measureParked(parkingLot, metrics, systemNow, consuming);
  return busWithMetrics(bus, metrics, delays, consuming);
}
