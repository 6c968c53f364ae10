/** The result of an operation, returned again when the request is repeated. */
export interface StoredAnswer {
  readonly status: number;
  /** Canonical JSON. */
  readonly body: string;
}

/**
 * The state of a request with an idempotency key. `started`: this process executes it, under this fence.
 * `in-progress`: another request holds the key. `other-body`: the key was used with a different body. `done`: the
 * stored answer of the first request.
 */
export type IdempotencyStart =
  | { readonly kind: 'started'; readonly fence: number }
  | { readonly kind: 'in-progress' }
  | { readonly kind: 'other-body' }
  | ({ readonly kind: 'done' } & StoredAnswer);

export interface IdempotencyClaim {
  /** Calling account, acted-on account, operation and key, as one text or as a hash of them. */
  readonly scope: string;
  readonly bodyHash: string;
  /** Epoch milliseconds of the system's clock. */
  readonly nowMs: number;
  /**
   * Without an answer, the claim lapses after this time and another request may take it. A repetition of the same
   * request may take it as soon as the process that holds it is gone.
   */
  readonly lockMs: number;
}

/** A request for tokens of a bucket that refills over time. A bucket that was never used is full. */
export interface TokenRequest {
  readonly bucket: string;
  /** Number of tokens in a full bucket, at least 1. */
  readonly capacity: number;
  /** Tokens added per second, more than 0. */
  readonly perSecond: number;
  readonly nowMs: number;
  /** How many tokens to take, all or none; 1 if absent. A negative number gives tokens back, up to `capacity`. */
  readonly tokens?: number;
  /** True to read the number of tokens without taking one. */
  readonly peek?: boolean;
}

export interface TokenAnswer {
  /** True if the tokens were taken or given back or, for a peek, if one is available. */
  readonly allowed: boolean;
  /** Tokens left, with fractions. If other replicas take from the bucket too, there may be fewer. */
  readonly tokens: number;
  /** Milliseconds until the bucket has as many tokens again as the request takes; 0 if it has them. */
  readonly retryAfterMs: number;
}

/**
 * State shared by the replicas of the gateway, and the buckets of those of the ledger. Times are epoch milliseconds of
 * the system's clock, never business time.
 */
export interface EdgeState {
  /** True if the nonce was new; it is then known until `untilMs`. Of concurrent calls, exactly one gets true. */
  rememberNonce(keyId: string, nonce: string, untilMs: number): Promise<boolean>;
  begin(claim: IdempotencyClaim): Promise<IdempotencyStart>;
  /** Stores the answer. False, without storing it, if the claim has lapsed and another request holds the key. */
  finish(scope: string, fence: number, answer: StoredAnswer, expiresAtMs: number): Promise<boolean>;
  /** Releases the key without an answer. Does nothing if the claim has lapsed. */
  abandon(scope: string, fence: number): Promise<void>;
  /**
   * Takes the tokens if there are enough: of any number of concurrent requests for one of k tokens, k are allowed.
   * Returns synchronously if one process holds all buckets. Rate limits decide nothing about money, so if the shared
   * state cannot be reached, each replica counts for itself.
   */
  takeToken(request: TokenRequest): TokenAnswer | Promise<TokenAnswer>;
  /** Deletes expired entries. Call it from time to time. */
  sweep(nowMs: number): Promise<void>;
}
