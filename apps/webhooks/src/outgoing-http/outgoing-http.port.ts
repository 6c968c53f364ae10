/** One POST to an address that someone else chose. */
export interface OutgoingRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Whose request it is, for metrics and traces; none of it is sent. */
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
      /** The header as it came. */ readonly retryAfter: string | null;
      /** The first 1 kB of the body as text, when it has come or its time is over. Never rejects. */
      readonly excerpt?: Promise<string>;
    }
  /**
   * Whether the receiver has it is not known; a retry carries the same id. `target-refused`: it has not, since the URL
   * or an address of its host is not allowed.
   */
  | { readonly kind: 'failed'; readonly reason: 'timed-out' | 'connection-failed' | 'target-refused' };

/**
 * Requests to partners. Never follows a redirect, never waits longer than its total time, and never reads more of an
 * answer than it needs. Does not throw because of what a receiver does.
 */
export interface OutgoingHttp {
  post(request: OutgoingRequest, origin?: RequestOrigin): Promise<OutgoingAnswer>;
  /** Cuts what is under way. */
  close(): Promise<void>;
}

/** Delivered means exactly this. */
export const DELIVERED = 200;

export const isDelivered = (answer: OutgoingAnswer | undefined): boolean =>
  answer?.kind === 'answered' && answer.status === DELIVERED;

/** What the hosts of webhook targets resolve to. */
export interface TargetAddresses {
  /** All IP addresses of the URL's host; empty when it does not resolve or `url` is not a URL. Does not throw. */
  of(url: string): Promise<readonly string[]>;
}

export const OUTGOING_HTTP = Symbol('OutgoingHttp');
export const TARGET_ADDRESSES = Symbol('TargetAddresses');
