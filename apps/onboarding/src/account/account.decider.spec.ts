import { BankAccountRegistered, CapabilityGranted, CapabilityRevoked, holderIdOf } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { accountRecord, holderRecord } from './accounts.service';
import {
  AT,
  FINGERPRINT,
  HOLDER,
  sealed,
  PARTNER_ID,
  CHILD_ID,
  holder,
  bankAccount,
  partnerTerms,
  partnerOpened,
  childOpened,
  openPartner,
  reported,
  onAccounts,
} from './accounts.testing';

describe('An account', () => {
  it('accepts personal fields only if they are sealed under the holder, so that erasing the person erases them', () => {
    const other = derivedId('person', 'another');
    for (const wrong of [
      { legalName: 'Maria' as Sealed },
      { taxId: sealed('tax', other) },
      { holderId: other, legalName: sealed('n', other), taxId: sealed('t', other) },
    ]) {
      expect(
        reported(
          onAccounts
            .given()
            .when({ ...openPartner, terms: { ...partnerTerms, ...wrong } })
            .refusal(),
        ),
      ).toEqual(['invalid-format legal-name']);
    }
    const digits = { ...holder, taxIdFingerprint: '52998224725', holderId: holderIdOf('52998224725') };
    expect(
      reported(
        onAccounts
          .given()
          .when({ ...openPartner, terms: { ...partnerTerms, ...digits } })
          .refusal(),
      ),
    ).toEqual(['invalid-format legal-name']);
    expect(
      reported(
        onAccounts
          .given()
          .when({ ...openPartner, bankAccount: { ...bankAccount, bankCode: 'Joana Lima' } })
          .refusal(),
      ),
    ).toEqual(['invalid-bank-account bank-account']);
    const foreign = { ...bankAccount, number: '12345-6' as Sealed };
    expect(
      reported(
        onAccounts
          .given()
          .when({ ...openPartner, bankAccount: foreign })
          .refusal(),
      ),
    ).toEqual(['invalid-bank-account bank-account']);
    expect(
      reported(onAccounts.given(partnerOpened).when({ kind: 'register-bank-account', bankAccount: foreign }).refusal()),
    ).toEqual(['invalid-bank-account bank-account']);
  });

  it('grants and revokes known capabilities once each, all or nothing', () => {
    const opened = onAccounts.given(partnerOpened);
    const names = [
      'subaccounts-90-tier',
      'subaccounts-93.5-tier',
      'subaccounts-97-tier',
      'manage-holders',
      'auto-claim-rewards',
      'international-travels',
      'pay-after-acceptance',
      'rate-lock-5m',
    ];
    const granted = names
      .filter((name) => name !== 'manage-holders')
      .map((capability) => new CapabilityGranted({ accountId: PARTNER_ID, capability }));
    opened.when({ kind: 'change-capabilities', grant: [...names, ...names], revoke: [] }).then(...granted);
    opened.when({ kind: 'change-capabilities', grant: ['manage-holders'], revoke: ['pay-after-acceptance'] }).then();
    opened
      .when({ kind: 'change-capabilities', grant: ['rate-lock-1h'], revoke: ['manage-holders'] })
      .then(
        new CapabilityGranted({ accountId: PARTNER_ID, capability: 'rate-lock-1h' }),
        new CapabilityRevoked({ accountId: PARTNER_ID, capability: 'manage-holders' }),
      );
    expect(
      reported(
        opened
          .when({
            kind: 'change-capabilities',
            grant: ['subaccounts-91-tier', 'rate-lock-'],
            revoke: ['Manage-Holders'],
          })
          .refusal(),
      ),
    ).toEqual(['invalid-enum-value grant[0]', 'invalid-enum-value grant[1]', 'invalid-enum-value revoke[0]']);
    expect(
      reported(
        opened.when({ kind: 'change-capabilities', grant: ['manage-holders'], revoke: ['manage-holders'] }).refusal(),
      ),
    ).toEqual(['invalid-format revoke[0]']);
  });

  it('has no personal data in its record, and the sealed fields in its holder record', () => {
    const state = onAccounts
      .given(
        childOpened,
        new BankAccountRegistered({ ...bankAccount, accountId: CHILD_ID }),
        new CapabilityGranted({ accountId: CHILD_ID, capability: 'rate-lock-5m' }),
      )
      .state();
    if (state.status === 'absent') throw new Error('absent');
    expect(accountRecord(state)).toEqual({
      accountId: CHILD_ID,
      parentId: PARTNER_ID,
      alias: 'Account 1',
      status: 'active',
      externalId: null,
      onboardingMode: null,
      capabilities: ['rate-lock-5m'],
      taxIdFingerprint: FINGERPRINT,
      createdAt: AT,
    });
    expect(holderRecord(state)).toEqual({
      accountId: CHILD_ID,
      holderId: HOLDER,
      legalName: holder.legalName,
      taxId: holder.taxId,
      bankAccount,
    });
  });
});
