/** The decision of a staff member about one request. */
export interface SetAsideDecision {
  /** The number of the request that the staff member has checked. */
  readonly request: number;
  readonly staffId: string;
  readonly now: string;
}

/** By staff, for tokens of a closed account. Whether it is closed, and the sender's review, is checked before. */
export type SetAsideCommand =
  | { readonly kind: 'request-set-aside'; readonly staffId: string; readonly now: string }
  | (SetAsideDecision & { readonly kind: 'confirm-set-aside' })
  | (SetAsideDecision & { readonly kind: 'reject-set-aside' });
