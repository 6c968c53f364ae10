import { errors } from './error-definition';

/** Codes for the rules of onboarding individual accounts, and for reviews. */
export const ONBOARDING_ERRORS = {
  ...errors(413, 'invalid-request', {
    'file-too-large':
      'The file is larger than 10 MB (10,000,000 bytes), or an image in it has more than 50 million pixels.',
  }),
  ...errors(422, 'validation', {
    'identifier-country-mismatch':
      'A tax residence in Brazil requires a CPF; any other tax residence requires another identifier.',
    'invalid-cpf': 'The identifier is not a valid CPF.',
    'invalid-passport': 'The identifier is not a valid passport number.',
    'invalid-national-id': 'The identifier is not a valid national id number.',
    'holder-under-age': 'The holder must be at least 18 years old.',
    'state-required': 'An address in Brazil requires a state.',
    'invalid-state': 'The state must be the two-letter code of a Brazilian state, such as SP.',
    'document-type-not-allowed': 'This type of document is not accepted for the tax residence.',
    'back-file-required': 'An RG requires a file of its back side.',
    'back-file-not-allowed': 'This type of document must not have a file of a back side.',
    'pep-details-required': 'A politically exposed person requires details.',
    'representative-is-holder': 'The representative must not be the holder.',
    'representative-identifier-country-mismatch':
      'For the representative, a tax residence in Brazil requires a CPF; any other requires another identifier.',
    'representative-under-age': 'The representative must be at least 18 years old.',
    'file-not-found': 'This account has not uploaded such a file.',
    'file-corrupted':
      'The file is truncated or damaged, is valid in two formats, has other data after its image, is a PDF with active ' +
      'content or attached files, or is a PDF that takes too long to read. The message says which.',
    'file-password-protected': 'The PDF opens only with a password.',
    'duplicate-external-wallet': 'An external wallet is listed twice.',
    'external-wallet-already-registered': 'An external wallet is registered to another account.',
    'invalid-country': 'The country must be an ISO 3166-1 alpha-3 code, such as BRA.',
    'erasure-not-confirmed': 'The text that was typed does not match the one that confirms the erasure.',
    'invalid-phone': 'The value is not a valid phone number.',
    'account-already-exists': 'An account with this id already exists with different data.',
    'parent-account-not-found': 'The parent account does not exist.',
    'parent-not-a-partner': 'The parent account is itself a sub-account.',
    'api-key-already-exists': 'An API key with this id already exists with different data.',
    'invalid-public-key':
      'The public key must be a PEM public key that fits its algorithm: RSA of 2048 to 8192 bits for RS256, ' +
      'P-256 for ES256, Ed25519 for EdDSA.',
    'invalid-wallet-proof': "The proof of an external wallet was not signed with the wallet's key.",
    'person-erased': 'The data of this person has been erased permanently, so no new data can be stored.',
    'account-request-not-pending': 'The account request has already been decided.',
    'information-not-requested': 'The account request is not waiting for information.',
    'review-not-open': 'The account request is not waiting for a review by staff.',
    'review-claimed': 'Another staff member has claimed the review.',
    'review-changed': 'The review has changed since you read it. Read it again.',
    'review-open':
      'An address review or a screening finding of the account is open, or a true match has not been cleared. Decide ' +
      'or clear it first.',
    'second-approver-required': 'A second approver must approve: you have already approved.',
    'second-member-required': 'Another staff member must confirm: you made this request.',
    'freeze-step-pending': 'A freeze, release or closing of this account is waiting for a second staff member.',
    'freeze-step-not-pending': 'No such freeze, release or closing is waiting for a second staff member.',
    'account-already-frozen': 'The account is already frozen for this reason.',
    'account-not-frozen': 'The account is not frozen.',
    'account-in-use': 'The account cannot be closed while it has a balance or anything in progress.',
    'screening-verdict-required': 'Every screening hit needs a verdict before the account request can be approved.',
    'screening-hit-not-found': 'The account request has no such screening hit.',
    'true-match-found': 'A screening hit is a true match, so the account request can only be rejected.',
    'verdict-final': 'A true match is final and cannot be changed.',
    'review-by-staff-required':
      'Screening or liveness found a reason for review, so two compliance approvers must decide, in the sandbox too.',
  }),
};
