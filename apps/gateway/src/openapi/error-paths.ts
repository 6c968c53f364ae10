/** Where a fault of a code is found: the first of these whose member the operation knows, else the first. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  'missing-field': ['source-asset', 'quote-id'], 'invalid-type': ['source-asset', 'quote-id'], 'invalid-format': ['quote-id', 'source-amount', 'external-id'],
  'invalid-enum-value': ['target-asset', 'source-payment-method', 'state', 'status', 'purpose', 'event-types[0]', 'access', 'reason'],
  'unknown-field': ['state'], 'amount-must-be-string': ['source-amount', 'amount', 'rate'], 'invalid-cursor': ['cursor'], 'invalid-limit': ['limit'],
  'exactly-one-amount-required': ['target-amount'], 'trade-reason-required': ['trade-reason'], 'rate-lock-not-applicable': ['rate-lock'],
  'bearer-key-not-allowed': ['bearer'],
  'asset-pair-not-supported': ['target-asset', 'quote-id'], 'amount-below-minimum': ['source-amount', 'amount'], 'amount-above-maximum': ['source-amount', 'amount'],
  'amount-scale-exceeded': ['amount'], 'asset-not-supported': ['asset'], 'same-source-and-target': ['target-address'],
  'source-wallet-not-owned': ['source-address'], 'certificate-not-owned': ['reward-certificate-id'], 'insufficient-balance': ['quote-id', 'amount'],
  'quote-not-found': ['quote-id'], 'quote-expired': ['quote-id'], 'quote-already-accepted': ['quote-id'],
  'source-wallet-required': ['source-wallet-address'], 'target-wallet-required': ['target-wallet-address'], 'wallet-not-allowed': ['target-wallet-address', 'wallet-address'],
  'wallet-not-fx-whitelisted': ['target-wallet-address'], 'invalid-address': ['target-wallet-address', 'target-address', 'wallet-address', 'external-wallets[0]', 'destination-wallet-address'],
  'bad-address-checksum': ['target-wallet-address', 'target-address', 'wallet-address', 'external-wallets[0]', 'destination-wallet-address'], 'pix-key-not-allowed-for-pair': ['target-end-user-pix-key'],
  'pix-key-not-found': ['target-end-user-pix-key', 'pix-key'], 'invalid-pix-key': ['pix-key'], 'method-asset-mismatch': ['asset', 'method'], 'pix-key-tax-id-mismatch': ['target-end-user-pix-key'],
  'payment-method-not-allowed-for-pair': ['source-payment-method'], 'external-id-already-used': ['external-id'],
  'invalid-tax-id': ['payer-tax-id', 'tax-id', 'account-holder-tax-id'], 'invalid-bank-account': ['bank-account.account-number', 'account-number'], 'parent-account-not-found': ['parent-id'],
  'parent-not-a-partner': ['parent-id'], 'account-already-exists': ['account-id'], 'invalid-public-key': ['public-key'],
  'identifier-country-mismatch': ['identifier.country'], 'invalid-cpf': ['identifier.value'], 'invalid-passport': ['identifier.value'], 'invalid-national-id': ['identifier.value'],
  'holder-under-age': ['date-of-birth'], 'state-required': ['address.state'], 'invalid-state': ['address.state'],
  'document-type-not-allowed': ['document.type', 'tax-document-type'], 'back-file-required': ['document.back-file-id'], 'back-file-not-allowed': ['document.back-file-id'],
  'pep-details-required': ['pep.relationship'], 'representative-is-holder': ['representative.identifier'],
  'representative-identifier-country-mismatch': ['representative.identifier.country'], 'representative-under-age': ['representative.date-of-birth'],
  'file-not-found': ['document.front-file-id', 'file'], 'file-corrupted': ['file'], 'duplicate-external-wallet': ['external-wallets[1]'],
  'external-wallet-already-registered': ['external-wallets[0]'], 'invalid-wallet-proof': ['external-wallets[0].proof'],
  'invalid-country': ['tax-residence', 'address.country'], 'invalid-phone': ['phone'], 'person-erased': ['identifier'],
  'second-approver-required': ['id'], 'screening-verdict-required': ['id'], 'true-match-found': ['id'], 'screening-hit-not-found': ['entry-id'], 'verdict-final': ['verdict'],
  'review-by-staff-required': ['id'], 'second-member-required': ['account-id'], 'freeze-step-pending': ['account-id'], 'freeze-step-not-pending': ['account-id'],
  'account-already-frozen': ['account-id'], 'account-not-frozen': ['account-id'], 'review-claimed': ['id'], 'erasure-not-confirmed': ['typed'],
  'account-request-not-pending': ['id'], 'information-not-requested': ['id'], 'review-not-open': ['id'], 'webhook-endpoint-disabled': ['id'],
  'live-credential-refused': ['webhook'],
};

/** Faults of form, which any member may have. */
const OF_ANY_MEMBER: ReadonlySet<string> = new Set(['missing-field', 'invalid-type', 'invalid-format', 'invalid-enum-value']);

/** Parameters of a list whose every fault has a code of its own. */
const OWN_CODES: ReadonlySet<string> = new Set(['limit', 'cursor']);

/** The path that an example of this code shows for an operation with these members; empty for a fault of the whole. */
export function pathOfExample(code: string, members: readonly string[]): string {
  const paths = PATHS[code] ?? [];
  const known = paths.find((path) => members.includes(path.split(/[.[]/)[0] ?? ''));
  if (known !== undefined) return known;
  // Where no member is taken, only the body as a whole can be of the wrong type.
  if (code === 'invalid-type' && members.length === 0) return '';
  return OF_ANY_MEMBER.has(code) ? (members.find((name) => !OWN_CODES.has(name)) ?? 'Idempotency-Key') : (paths[0] ?? '');
}
