import { AccountOpened, holderIdOf } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import type { Open } from './account.decider';
import { account } from './account.decider';

export const AT = '2026-03-02T12:00:00.000Z';
export const FINGERPRINT = 'f'.repeat(64);
export const HOLDER = holderIdOf(FINGERPRINT);
export const sealed = (text: string, subject = HOLDER): Sealed => `sealed:v1:${subject}:${text}`;
export const PARTNER_ID = derivedId('test', 'partner');
export const CHILD_ID = derivedId('test', 'child');
export const holder = {
  holderId: HOLDER,
  legalName: sealed('name'),
  taxId: sealed('tax'),
  taxIdFingerprint: FINGERPRINT,
};
export const bankAccount = { bankCode: '001', branch: sealed('branch'), number: sealed('number') };

/** The terms with which the partner is opened. */
export const partnerTerms = {
  ...holder,
  accountId: PARTNER_ID,
  parentId: null,
  alias: 'Acme',
  externalId: null,
  onboardingMode: 'kyc' as const,
  capabilities: ['manage-holders'],
};

/** The terms with which a sub-account of that partner is opened. */
export const childTerms = {
  ...partnerTerms,
  accountId: CHILD_ID,
  parentId: PARTNER_ID,
  alias: 'Account 1',
  onboardingMode: null,
  capabilities: [],
};
export const partnerOpened = new AccountOpened({ ...partnerTerms, openedAt: AT });
export const childOpened = new AccountOpened({ ...childTerms, openedAt: AT });
export const openPartner: Open = { kind: 'open', terms: partnerTerms, bankAccount: null, parent: null, at: AT };

/** Code and path of each violation of a refusal. */
export const reported = (refusal: unknown) =>
  (refusal as Refusal).violations.map(({ code, path }) => `${code} ${path}`);
export const onAccounts = scenario(account);
