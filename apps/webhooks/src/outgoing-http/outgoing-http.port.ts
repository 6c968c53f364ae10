/** A POST request to a URL that a partner chose. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The delivery that a request belongs to, for metrics, logs and traces. None of it is sent. */
export interface RequestOrigin {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly correlationId: string;
  /** From 1. */
  readonly attempt: number;
  /** The span that the delivery belongs to, if it is traced. */
  readonly traceparent?: string;
}

export type OutgoingAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The unparsed header. */ readonly retryAfter: string | null;
      /** The first 1 kB of the body as text, at the end of the body or of the time limit. Never rejects. */
      readonly excerpt?: Promise<string>;
    }
  /**
   * No response. The receiver may have the event; a retry carries the same id. With `target-refused` nothing was sent,
   * because the URL or an address of its host is not allowed.
   */
  | { readonly kind: 'failed'; readonly reason: 'timed-out' | 'connection-failed' | 'target-refused' };

/**
 * Sends requests to partners. It never follows a redirect, never exceeds its time limit, and limits how much of a
 * response it reads. It does not throw because of what a receiver does.
 */
export interface OutgoingHttp {
  post(request: OutgoingRequest, origin?: RequestOrigin): Promise<OutgoingAnswer>;
  /** Aborts running requests and closes all connections. */
  close(): Promise<void>;
}

/** The only status that counts as delivered. */
export const DELIVERED = 200;

/** Whether the receiver accepted the webhook. No other status than 200 counts. */
export const isDelivered = (answer: OutgoingAnswer | undefined): boolean =>
  answer?.kind === 'answered' && answer.status === DELIVERED;

/** Resolves the hosts of webhook targets. */
export interface TargetAddresses {
  /** All IP addresses of the URL's host; empty when it does not resolve or `url` is not a URL. Does not throw. */
  of(url: string): Promise<readonly string[]>;
}

export const OUTGOING_HTTP = Symbol('OutgoingHttp');
export const TARGET_ADDRESSES = Symbol('TargetAddresses');
