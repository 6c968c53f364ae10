declare module 'kafkajs/src/consumer/consumerGroup' {
  export default class ConsumerGroup {
    /** Given by the brokers with the first join; they take it for the same member as long as its session lasts. */
    memberId: string | null;
    joinAndSync(): Promise<void>;
    readonly groupId: string;
    /** Of one broker. */
    fetch(nodeId: unknown): Promise<readonly { readonly rawMessages: readonly unknown[] }[]>;
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

/** How a producer sends; for the test that shows what it leaves out. */
declare module 'kafkajs/src/producer/sendMessages' {
  import type { ICustomPartitioner, Message, RecordMetadata } from 'kafkajs';

  interface Leader {
    readonly nodeId: number;
    produce(request: {
      readonly topicData: readonly {
        readonly topic: string;
        readonly partitions: readonly { readonly partition: number }[];
      }[];
    }): Promise<object>;
  }
  interface Parts {
    readonly logger: object;
    readonly cluster: object;
    readonly partitioner: ReturnType<ICustomPartitioner>;
    readonly eosManager: object;
    readonly retrier: <T>(
      attempt: (bail: (error: Error) => void, count: number, ms: number) => Promise<T>,
    ) => Promise<T>;
  }
  export default function createSendMessages(
    parts: Parts,
  ): (request: {
    readonly acks: number;
    readonly topicMessages: readonly { readonly topic: string; readonly messages: readonly Message[] }[];
  }) => Promise<RecordMetadata[]>;
}
