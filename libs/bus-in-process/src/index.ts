export { BackgroundThrottle, throttledReaders } from './background-throttle';
export { localBacklogs } from './backlogs';
export { LowWatermark } from './reader-state';
export { createInProcessBus, Deadlines } from './message-bus';
export type { EventHandlerParts } from './event-handler';
export { EventHandler } from './event-handler';
export { isOutage, OUTAGE_RELEASE_MS, OutageRelease } from './outages';
export type { RetrySchedule } from './event-handler';
export { RETRIES, Tries } from './event-handler';
