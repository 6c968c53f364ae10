/** @type {Record<string, string>} */
export const FREEZE_REASONS = {
  sanctions: 'On a sanctions list',
  'fraud-suspected': 'Fraud is suspected',
  'court-order': 'Order by a court or authority',
  compliance: 'Compliance',
  'account-takeover': 'Account takeover',
  closing: 'The account will be closed',
  'reorged-after-completion': 'A completed transaction was removed from the chain',
  'pix-taken-back': 'The bank took back a Pix payment',
};

/** @type {Record<string, string>} */
export const RELEASE_REASONS = {
  resolved: 'Resolved',
  'frozen-by-mistake': 'Frozen by mistake',
  'order-lifted': 'The court order was lifted',
  'loss-recovered': 'The loss was recovered',
};

/** @type {Record<string, string>} */
export const CLOSING_REASONS = {
  'holder-request': 'The holder asked for it',
  'partner-request': 'The partner asked for it',
  'holder-deceased': 'The holder has died',
  compliance: 'Compliance',
  'court-order': 'Order by a court or authority',
  inactive: 'Not used',
};

/** @type {Record<string, string>} */
export const STANDING_ENTRIES = {
  'freeze-requested': 'Freeze requested',
  frozen: 'Frozen',
  'release-requested': 'Release requested',
  released: 'Released',
  'close-requested': 'Closing requested',
  closed: 'Closed',
  withdrawn: 'Withdrawn',
  refused: 'Refused',
};
