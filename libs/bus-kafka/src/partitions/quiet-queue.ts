import RequestQueue from 'kafkajs/src/network/requestQueue';

/** At least so long before the next look at requests that have to wait, as in kafkajs. */
const CHECK_MS = 10;

/**
 * kafkajs 2.2.4 looks for waiting requests again a millisecond after each look, whether any waits or not, on each
 * connection and for ever (its issues 1556 and 1704): a process that does nothing wakes up a thousand times a second. A
 * request that has to wait asks for a look itself, and each answer takes one; so a timer is needed only while something
 * waits.
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
