/** A reward certificate of any account. */
export interface Certificate {
  readonly id: string;
  readonly 'account-id': string;
  readonly 'wallet-address': string;
  readonly amount: string;
  readonly 'reward-tier': number;
  readonly status: string;
  readonly 'created-at': string;
  readonly 'status-updated-at': string;
  readonly 'issued-by': string;
  readonly 'tx-hash': string | null;
  readonly failure?: { readonly code: string; readonly message: string };
}
