declare module 'kafkajs/src/consumer/consumerGroup' {
  export default class ConsumerGroup {
    /**
     * Assigned by the brokers at the first join. A member that joins with it is the same one to them while its session
     * lasts.
     */
    memberId: string | null;
    joinAndSync(): Promise<void>;
  }
}

/** Parts of kafkajs 2.2.4 that we patch and that have no types. */
declare module 'kafkajs/src/network/requestQueue' {
  export default class RequestQueue {
    /** Requests that wait for a free place or for the end of throttling. */
    readonly pending: readonly unknown[];
    /** Epoch milliseconds; in the past if nothing is throttled. */
    readonly throttledUntil: number;
    throttleCheckTimeoutId: NodeJS.Timeout | null;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
  }
}

/** The send function of a producer; for the test that shows its defect. */
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

declare module 'kafkajs/src/protocol/error' {
  import type { KafkaJSError } from 'kafkajs';

  export function createErrorFromCode(code: number): KafkaJSError;
}
