declare module 'kafkajs/src/consumer/consumerGroup' {
  export default class ConsumerGroup {
    /** Given by the brokers with the first join; they take it for the same member as long as its session lasts. */
    memberId: string | null;
    joinAndSync(): Promise<void>;
  }
}

/** What of kafkajs 2.2.4 is mended and has no types of its own. */
declare module 'kafkajs/src/network/requestQueue' {
  export default class RequestQueue {
    /** Requests that wait for a place, or for the end of a throttling. */
    readonly pending: readonly unknown[];
    /** Epoch milliseconds; in the past when nothing is throttled. */
    readonly throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
  }
}
