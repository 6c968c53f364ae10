/** The fields of every webhook, sorted. */
export const ENVELOPE_FIELDS = [
  'account-id',
  'api-version',
  'event-id',
  'event-type',
  'occurred-at',
  'payload',
  'previous-state',
  'resource-id',
  'resource-type',
  'sequence',
];

/** The fields of the payload of a `deposit-processed` webhook. */
export const DEPOSIT_FIELDS = [
  'deposit-id',
  'account-id',
  'asset',
  'amount',
  'status',
  'deposit-type',
  'processed-at',
  'source-legal-name',
  'source-tax-id',
  'source-bank-code',
  'source-branch-code',
  'source-account-number',
  'end-to-end-id',
];

/** The fields of the payload of an `order-completed` webhook. */
export const ORDER_FIELDS = [
  'order-id',
  'account-id',
  'created-by',
  'created-by-api-key',
  'source-asset',
  'target-asset',
  'source-amount',
  'target-amount',
  'effective-rate',
  'completed-at',
  'tx-hash',
  'tx-timestamp',
  'target-wallet-address',
];
