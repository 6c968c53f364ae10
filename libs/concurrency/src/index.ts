export { KeyedQueue } from './keyed-queue';
export { LeasedJobs } from './leased-jobs';
export { LocalBuckets, untilNext } from './local-buckets';
export { Semaphore } from './semaphore';
export { Signal } from './signal';
export type { Job, Timers } from './timers';
export { createTimers, pause } from './timers';
export { within } from './within';
