/** What an operation came to, as it is given again to a repeated request. */
export interface StoredAnswer {
  readonly status: number;
  /** The canonical JSON of the body. */
  readonly body: string;
}

/**
 * How a request with an idempotency key stands. `started`: it is ours to carry out, under this fence. `in-progress`: another
 * request holds the key. `other-body`: the key was used for something else. `done`: here is the answer of the first time.
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
  /** After so long without an answer the claim lapses and another request may take it. */
  readonly lockMs: number;
}

/** What the replicas of the edge share. Times are epoch milliseconds of the system's clock, never business time. */
export interface EdgeState {
  /** True when the nonce was new, and from now on until `untilMs` it is not. Sixty-four at once: one true. */
  rememberNonce(keyId: string, nonce: string, untilMs: number): Promise<boolean>;
  begin(claim: IdempotencyClaim): Promise<IdempotencyStart>;
  /** Stores the answer. False when the claim had lapsed and somebody else holds the key: then nothing is stored. */
  finish(scope: string, fence: number, answer: StoredAnswer, expiresAtMs: number): Promise<boolean>;
  /** Gives the key back without an answer; does nothing when the claim had lapsed. */
  abandon(scope: string, fence: number): Promise<void>;
  /** Forgets what has expired; call it now and then. */
  sweep(nowMs: number): Promise<void>;
}
