/** A payment whose money is, or was, in suspense. */
export interface FailedReturn {
  readonly 'deposit-id': string;
  readonly cause: string;
  readonly status: string;
  readonly 'account-id': string | null;
  readonly amount: string;
  readonly asset: string;
  readonly 'end-to-end-id': string | null;
  readonly reason: string;
  readonly 'failed-at': string;
  readonly 'settled-at': string | null;
  readonly settlement: {
    readonly proposal: number;
    readonly 'bank-reference': string;
    /** Absent unless the view was recorded. */
    readonly note?: string;
    readonly 'proposed-by': string;
    readonly 'proposed-at': string;
    readonly 'confirmed-by': string | null;
  } | null;
  readonly sending: {
    readonly proposal: number;
    readonly 'destination-address': string;
    readonly reference: string;
    readonly 'proposed-by': string;
    readonly 'proposed-at': string;
    readonly 'confirmed-by': string | null;
    readonly 'tx-hash': string | null;
  } | null;
  readonly 'sending-failure': { readonly code: string; readonly message: string } | null;
}

/** A payment whose money left the bank twice. */
export interface DoubleReturn {
  readonly 'deposit-id': string;
  readonly 'account-id': string | null;
  readonly amount: string;
  readonly asset: string;
  readonly 'end-to-end-id': string | null;
  readonly reason: string;
  readonly 'return-id': string | null;
  readonly 'bank-return-id': string | null;
  readonly 'bank-reference': string | null;
  readonly 'posted-at': string;
}

/** A payout whose withdrawal was rolled back. */
export interface RefusedPayout {
  readonly 'withdrawal-id': string;
  readonly 'account-id': string;
  readonly status: string;
  readonly method: 'pix' | 'ted';
  readonly amount: string;
  readonly asset: string;
  readonly reason: string;
  readonly 'rolled-back-at': string;
  readonly 'check-again-at': string | null;
  readonly 'end-to-end-id': string | null;
  readonly 'posted-at': string | null;
}

/** A USD deposit that staff recorded. */
export interface UsdDeposit {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly 'account-id': string;
  readonly 'end-to-end-id': string;
  readonly 'document-sha-256': string;
  readonly 'recorded-by': string;
  readonly 'created-at': string;
  readonly coordinates: { readonly source: string | null; readonly target: string | null };
}
