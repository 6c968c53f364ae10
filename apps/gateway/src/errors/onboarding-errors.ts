import { errorDefinitions } from './error-definition';

/** Rules of onboarding an individual account, by the number of the specification's rule. */
export const ONBOARDING_ERRORS = [
  ...errorDefinitions(413, 'invalid-request', [['file-too-large', 'A file has at most 10 MB (10,000,000 bytes).']]),
  ...errorDefinitions(422, 'validation', [
    ['identifier-country-mismatch', 'The identifier is Brazilian exactly when the tax residence is. (rule 3)'],
    ['invalid-cpf', 'The identifier is not a valid CPF. (rule 3)'],
    ['invalid-passport', 'The identifier is not a passport number. (rule 3)'],
    ['invalid-national-id', 'The identifier is not the number of a national id.'],
    ['holder-under-age', 'The holder is not yet 18. (rule 4)'],
    ['state-required', 'A Brazilian address needs its state. (rule 5)'],
    ['invalid-state', 'The state is not a federal unit. (rule 5)'],
    ['document-type-not-allowed', 'The document is not of a type for this tax residence. (rule 6)'],
    ['back-file-required', 'An RG has two sides. (rule 6)'],
    ['back-file-not-allowed', 'The document has no back side. (rule 6)'],
    ['pep-details-required', 'A politically exposed person is described. (rule 7)'],
    ['representative-is-holder', 'The representative is the holder. (rule 8)'],
    [
      'representative-identifier-country-mismatch',
      "The representative's identifier is Brazilian exactly when the tax residence is. (rule 9)",
    ],
    ['representative-under-age', 'The representative is not yet 18.'],
    ['file-not-found', 'The file was not uploaded by this account. (rule 11)'],
    ['file-corrupted', 'The file is cut off, damaged, or of two formats at once.'],
    ['duplicate-external-wallet', 'An external wallet is listed twice. (rule 12)'],
    ['external-wallet-already-registered', 'An external wallet belongs to another account. (rule 12)'],
    ['invalid-country', 'The text is not an ISO 3166-1 alpha-3 code.'],
    ['erasure-not-confirmed', 'The erasure was not confirmed as it has to be.'],
    ['invalid-phone', 'The text is not a phone number.'],
  ]),
];
