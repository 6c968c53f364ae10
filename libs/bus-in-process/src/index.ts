export { BackgroundThrottle, throttledReaders } from './background-throttle';
export { localBacklogs } from './backlogs';
export { Deadlines } from './deadlines';
export { LowWatermark } from './reader-checkpoint';
export { createInProcessBus } from './message-bus';
export { isOutage, keysOfOutages, OUTAGE_RELEASE_MS, OutageRelease } from './outages';
export type { RetrySchedule } from './retries';
export { RETRIES, Tries } from './retries';
