/** What an operation came to, as it is given again to a repeated request. */
export interface StoredAnswer {
  readonly status: number;
  /** The canonical JSON of the body. */
  readonly body: string;
}

/**
 * How a request with an idempotency key stands. `started`: it is ours to carry out, under this fence. `in-progress`:
 * another request holds the key. `other-body`: the key was used for something else. `done`: here is the answer of the
 * first time.
 */
export type IdempotencyStart =
  | { readonly kind: 'started'; readonly fence: number }
  | { readonly kind: 'in-progress' }
  | { readonly kind: 'other-body' }
  | ({ readonly kind: 'done' } & StoredAnswer);

export interface IdempotencyClaim {
  /** Calling account, acted-on account, operation and key in one text, or a hash of them. */
  readonly scope: string;
  readonly bodyHash: string;
  /** Epoch milliseconds of the system's clock. */
  readonly nowMs: number;
  /**
   * After so long without an answer the claim lapses and another request may take it; the same request may as soon as
   * the process that holds it is gone.
   */
  readonly lockMs: number;
}

/** A request for one token of a bucket that fills by itself. A bucket that was never asked is full. */
export interface TokenRequest {
  readonly bucket: string;
  /** Tokens of a full bucket, at least 1. */
  readonly capacity: number;
  /** Tokens that come back in a second, more than 0. */
  readonly perSecond: number;
  readonly nowMs: number;
  /** True only to learn how many tokens there are: none is taken. */
  readonly peek?: boolean;
}

export interface TokenAnswer {
  /** The token was there and is taken; of a peek: it is there. */
  readonly allowed: boolean;
  /** What is left in the bucket, with its fraction; at least what is there when other replicas take from it. */
  readonly tokens: number;
  /** Milliseconds until the bucket has a token (again), 0 when it has one. */
  readonly retryAfterMs: number;
}

/** What the replicas of the edge share. Times are epoch milliseconds of the system's clock, never business time. */
export interface EdgeState {
  /** True when the nonce was new, and from now on until `untilMs` it is not. Sixty-four at once: one true. */
  rememberNonce(keyId: string, nonce: string, untilMs: number): Promise<boolean>;
  begin(claim: IdempotencyClaim): Promise<IdempotencyStart>;
  /** Stores the answer. False when the claim had lapsed and someone else holds the key: then nothing is stored. */
  finish(scope: string, fence: number, answer: StoredAnswer, expiresAtMs: number): Promise<boolean>;
  /** Gives the key back without an answer; does nothing when the claim had lapsed. */
  abandon(scope: string, fence: number): Promise<void>;
  /**
   * Takes a token if there is one; 64 at once for k tokens: k get one. At once where one process holds all buckets. A
   * limit protects and decides nothing about money: when what the replicas share cannot be reached, each counts for
   * itself.
   */
  takeToken(request: TokenRequest): TokenAnswer | Promise<TokenAnswer>;
  /** Forgets what has expired; call it now and then. */
  sweep(nowMs: number): Promise<void>;
}
