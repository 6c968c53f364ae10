import { AccountClosed, AccountFrozen, BankAccountRegistered } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Open } from './account.decider';
import { account } from './account.decider';
import {
  AT,
  sealed,
  PARTNER_ID,
  CHILD_ID,
  bankAccount,
  partnerTerms,
  childTerms,
  partnerOpened,
  childOpened,
  openPartner,
  reported,
  onAccounts,
} from './accounts.testing';

const partner = scenario(account).given(partnerOpened).state();
const openChild: Open = { kind: 'open', terms: childTerms, bankAccount, parent: partner, at: AT };

describe('An account', () => {
  it('opens as a partner or under one, with the bank account of its holder', () => {
    onAccounts.given().when(openPartner).then(partnerOpened);
    onAccounts
      .given()
      .when(openChild)
      .then(childOpened, new BankAccountRegistered({ ...bankAccount, accountId: CHILD_ID }));
  });

  it('returns the same result for a repeated opening, and refuses different data under the same id', () => {
    const opened = onAccounts.given(partnerOpened);
    opened.when({ ...openPartner, terms: { ...partnerTerms, legalName: sealed('name, sealed again') } }).then();
    for (const other of [
      { alias: 'Other' },
      { externalId: 'x' },
      { onboardingMode: 'reliance' as const },
      { capabilities: [] },
      { taxIdFingerprint: 'e'.repeat(64) },
    ]) {
      expect(reported(opened.when({ ...openPartner, terms: { ...partnerTerms, ...other } }).refusal())).toEqual([
        'account-already-exists account-id',
      ]);
    }
  });

  it('needs a parent that exists, is itself a partner (no grandchildren) and is active', () => {
    const under = (parent: Open['parent']) =>
      reported(
        onAccounts
          .given()
          .when({ ...openChild, parent })
          .refusal(),
      );
    expect(under({ status: 'absent' })).toEqual(['parent-account-not-found parent-id']);
    expect(under(onAccounts.given(childOpened).state())).toEqual(['parent-not-a-partner parent-id']);
    const byStaff = { accountId: PARTNER_ID, reason: 'compliance', evidence: null } as const;
    const frozen = new AccountFrozen({ ...byStaff, requestedBy: null, confirmedBy: null, frozenAt: AT });
    const closed = new AccountClosed({ ...byStaff, requestedBy: 'one', confirmedBy: 'two', closedAt: AT });
    for (const events of [[frozen], [frozen, closed]])
      expect(under(onAccounts.given(partnerOpened, ...events).state())).toEqual(['account-not-active parent-id']);
  });

  it('has an onboarding mode if and only if it is a partner', () => {
    expect(
      reported(
        onAccounts
          .given()
          .when({ ...openPartner, terms: { ...partnerTerms, onboardingMode: null } })
          .refusal(),
      ),
    ).toEqual(['missing-field onboarding-mode']);
    expect(
      reported(
        onAccounts
          .given()
          .when({ ...openChild, terms: { ...childTerms, onboardingMode: 'kyc' } })
          .refusal(),
      ),
    ).toEqual(['unknown-field onboarding-mode']);
  });

  it('reports all violations of an opening at once', () => {
    const terms = {
      ...partnerTerms,
      accountId: 'no-uuid',
      alias: '',
      externalId: 'a b',
      onboardingMode: null,
      capabilities: ['manage-holders', 'fly'],
    };
    expect(
      reported(
        onAccounts
          .given()
          .when({ ...openPartner, terms })
          .refusal(),
      ),
    ).toEqual([
      'invalid-format account-id',
      'invalid-format alias',
      'invalid-format external-id',
      'missing-field onboarding-mode',
      'invalid-enum-value capabilities[1]',
    ]);
    for (const alias of ['x'.repeat(81), ' x', 'x\u0000y', 'a\nb']) {
      expect(
        reported(
          onAccounts
            .given()
            .when({ ...openPartner, terms: { ...partnerTerms, alias } })
            .refusal(),
        ),
      ).toEqual(['invalid-format alias']);
    }
  });

  it('that does not exist is refused by every command except an opening', () => {
    for (const command of [
      { kind: 'change-capabilities', grant: [], revoke: [] },
      { kind: 'register-bank-account', bankAccount },
      { kind: 'freeze-automatically', reason: 'compliance', evidence: null, at: AT },
    ] as const)
      expect(reported(onAccounts.given().when(command).refusal())).toEqual(['account-not-found account-id']);
  });
});
