/* The display texts of the API's values, in one place. */

/** @typedef {'good' | 'warn' | 'bad' | 'info' | ''} Tone */

/** @type {Record<string, { label: string, tone: Tone }>} */
export const STATUSES = {
  pending: { label: 'Pending', tone: 'info' },
  approved: { label: 'Approved, creating the account', tone: 'good' },
  'provisioning-failed': { label: 'Approved, but creating the account failed', tone: 'warn' },
  active: { label: 'Active', tone: 'good' },
  rejected: { label: 'Rejected', tone: 'bad' },
  expired: { label: 'Expired', tone: '' },
  cancelled: { label: 'Cancelled by the partner', tone: '' },
};

/** @type {Record<string, { label: string, tone: Tone }>} */
export const STAGES = {
  received: { label: 'Received', tone: '' },
  screening: { label: 'Being screened', tone: '' },
  'manual-review': { label: 'To review', tone: 'info' },
  'information-requested': { label: 'Information requested', tone: '' },
};

/** @type {Record<string, { label: string, tone: Tone, title: string }>} */
export const CAUSES = {
  standard: { label: 'Standard', tone: '', title: 'No special reason: every request in this mode is reviewed' },
  'screening-hit': { label: 'List hit', tone: 'bad', title: 'This person may be on a sanctions or PEP list' },
  'true-match': {
    label: 'True match',
    tone: 'bad',
    title: 'Staff found that a hit is this person: the request can only be rejected',
  },
  'liveness-failed': { label: 'Liveness failed', tone: 'bad', title: 'The liveness session did not pass' },
  'liveness-pending': { label: 'No liveness', tone: 'warn', title: 'The liveness provider has not answered' },
  'liveness-shared': {
    label: 'Liveness shared',
    tone: 'bad',
    title: "Another person's request uses the same liveness session",
  },
  'liveness-old': {
    label: 'Old liveness',
    tone: 'bad',
    title: 'The liveness session was more than a day old when the request named it',
  },
  'account-stopped': {
    label: 'Stopped account',
    tone: 'bad',
    title: 'Another account of this person was frozen or closed for compliance reasons',
  },
  'information-provided': { label: 'New information', tone: 'info', title: 'The partner sent what was requested' },
  'four-eyes': { label: 'Four eyes', tone: 'warn', title: 'Two different approvers have to approve' },
};

/** Purposes for which personal data is viewed. @type {Record<string, { label: string, hint: string }>} */
export const PURPOSES = {
  review: { label: 'Review', hint: 'I am reviewing this request' },
  'second-approval': { label: 'Second approval', hint: 'I am the second approver' },
  support: { label: 'Support', hint: 'The partner or the person asked a question' },
  audit: { label: 'Audit', hint: 'I am auditing past work' },
  'legal-request': { label: 'Legal request', hint: 'An authority or a court requested it' },
  'privacy-request': { label: 'Privacy request', hint: 'The person requested a report or erasure' },
};

/**
 * Reasons for a rejection; `shown` is the reason that the partner gets.
 * @type {Record<string, { label: string, shown: string }>}
 */
export const REJECTIONS = {
  sanctions: { label: 'On a sanctions list', shown: 'compliance' },
  pep: { label: 'Political exposure', shown: 'compliance' },
  'fraud-suspected': { label: 'Fraud is suspected', shown: 'compliance' },
  'risk-appetite': { label: 'Outside our risk appetite', shown: 'compliance' },
  liveness: { label: 'Liveness did not pass', shown: 'data-mismatch' },
  'document-quality': { label: 'Documents cannot be read', shown: 'document-quality' },
  'data-mismatch': { label: 'Data and documents disagree', shown: 'data-mismatch' },
  duplicate: { label: 'The person already has an account', shown: 'duplicate' },
};

/** Reasons for a verdict on a hit. @type {Record<string, string>} */
export const VERDICT_REASONS = {
  'name-differs': 'Another name',
  'birth-date-differs': 'Another date of birth',
  'nationality-differs': 'Another nationality',
  'documents-differ': 'The documents show someone else',
  'identity-confirmed': 'The identity is confirmed',
  other: 'Something else, see the note',
};

/** @type {Record<string, { label: string, tone: Tone }>} */
export const VERDICTS = {
  'false-positive': { label: 'False positive', tone: 'good' },
  'true-match': { label: 'True match', tone: 'bad' },
};

/** Reasons that are shown to partners. @type {Record<string, string>} */
export const PARTNER_REASONS = {
  compliance: 'Compliance',
  'document-quality': 'Document quality',
  'data-mismatch': 'Data mismatch',
  expired: 'Expired',
  duplicate: 'Duplicate',
};

/** Information that can be requested. @type {Record<string, string>} */
export const ITEMS = {
  document: 'Identity document',
  address: 'Address',
  liveness: 'New liveness session',
  'source-of-funds': 'Source of funds',
  'representative-document': "Representative's document",
  'representative-address': "Representative's address",
  'power-of-attorney': 'Power of attorney',
  other: 'Something else',
};

/** @type {Record<string, string>} */
export const ROLES = {
  'compliance-analyst': 'Compliance analyst',
  'compliance-approver': 'Compliance approver',
  operator: 'Operator',
  auditor: 'Auditor',
};

/** Data that two requests can share. @type {Record<string, string>} */
export const TRAITS = {
  'document-file': 'The same document file',
  email: 'The same e-mail address',
  phone: 'The same telephone number',
  address: 'The same postal address',
  liveness: 'The same liveness session',
  wallet: 'The same wallet',
};

/** @type {Record<string, { label: string, mark: string, tone: Tone }>} */
export const OUTCOMES = {
  passed: { label: 'Passed', mark: '✓', tone: 'good' },
  attention: { label: 'Look at this', mark: '!', tone: 'bad' },
  pending: { label: 'Still open', mark: '…', tone: 'warn' },
  'not-applicable': { label: 'Does not apply', mark: '–', tone: '' },
};

/** @type {Record<string, string>} */
export const SECTORS = {
  other: 'None of these sectors',
  gambling: 'Gambling and betting',
  weapons: 'Weapons and ammunition',
  adult: 'Adult content',
  mining: 'Mining, precious metals and stones',
  remittances: 'Exchange and remittances',
  crypto: 'Crypto and virtual assets',
  art: 'Art and antiques',
  realty: 'Real estate brokerage',
  vehicles: 'Vehicles, aircraft, vessels',
  nonprofits: 'Nonprofit and religious',
  tcsp: 'Company and trust services',
  scrap: 'Scrap and recycling',
  hospitality: 'Bars, restaurants, events',
  factoring: 'Armoured cash, factoring',
  trade: 'Foreign trade',
  construction: 'Construction and development',
  agribusiness: 'Agribusiness',
  consulting: 'Business consulting, unspecific',
};

/** @type {Record<string, string>} */
export const DOCUMENTS = { rg: 'RG', cnh: 'CNH', passport: 'Passport', cpf: 'CPF', 'national-id': 'National id' };

/** @type {Record<string, string>} */
export const LISTS = {
  'un-consolidated': 'UN sanctions',
  pep: 'PEP list',
  'name-letters': 'Letters of the name',
  'more-matches': 'More matches of a list',
  liveness: 'Liveness session',
};

/** Makes a value without a display text readable. @param {string} word */
export const plain = (word) => {
  const text = word.replace(/[-_]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** The start of an id: long enough to distinguish two cases, and short enough to say aloud. @param {string} id */
export const shortId = (id) => id.slice(0, 8).toUpperCase();

/** Replaces the data of an erased person. */
export const ERASED = '[erased]';
