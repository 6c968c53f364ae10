/** Every code with which onboarding refuses, and what it means. The gateway's catalogue gives each its HTTP status. */
export const ONBOARDING_REFUSALS = {
  'missing-field': 'a partner account is opened without an onboarding mode',
  'unknown-field': 'a sub-account is opened with an onboarding mode',
  'invalid-format': 'a text has not the form it must have',
  'invalid-enum-value': 'a capability or a reason is not on its list',
  'invalid-tax-id': 'the tax id is neither a CPF nor a CNPJ',
  'invalid-bank-account': 'the bank account has not the form of one',
  'account-not-found': 'the account that the request is about does not exist',
  'account-not-active': 'the account is frozen or closed',
  'account-already-exists': 'an account of this id exists with other data',
  'parent-account-not-found': 'the parent account does not exist',
  'parent-not-a-partner': 'the parent account is itself a sub-account',
  'api-key-not-found': 'the API key does not exist',
  'api-key-already-exists': 'an API key of this id exists with other data',
  'invalid-public-key': 'the public key is not one of the stated algorithm and strength, or is a private key',
  'bearer-key-not-allowed': 'bearer keys exist in the sandbox alone',
} as const;

export type OnboardingRefusalCode = keyof typeof ONBOARDING_REFUSALS;
