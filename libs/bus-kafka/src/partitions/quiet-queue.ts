import RequestQueue from 'kafkajs/src/network/requestQueue';

/** The shortest delay before waiting requests are checked again, as in kafkajs. */
const CHECK_MS = 10;

/**
 * Patches kafkajs 2.2.4, which checks for waiting requests a millisecond after each check, on each connection, whether
 * any wait or not (its issues 1556 and 1704): an idle process wakes up a thousand times a second. A request that must
 * wait triggers a check itself, and so does each response, so a timer is needed only while requests wait.
 *
 * Measured for a process with one consumer: 11 ms instead of 35 to 47 ms of processor time a second while it is idle,
 * and 0.8 ms instead of 1.1 ms for each message at 100 messages a second.
 */
export function quietQueues(): void {
  RequestQueue.prototype.scheduleCheckPendingRequests = function schedule(this: RequestQueue): void {
    if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      Math.max(CHECK_MS, this.throttledUntil - Date.now()),
    );
  };
}
