export type { EventStoreDbStore } from './open';
export { openEventStoreDb } from './open';
export type { StoreFault } from './store-faults';
