import { generateKeyPairSync } from 'node:crypto';
import {
  AccountFrozen,
  AccountOpened,
  ApiKeyCreated,
  ApiKeyRevoked,
  BankAccountRegistered,
  CapabilityGranted,
  CapabilityRevoked,
  holderIdOf,
  materialViolations,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { scenario } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import type { Open } from './account/account.decider';
import { account } from './account/account.decider';
import { accountRecord, holderRecord } from './account/account.record';
import type { Create } from './api-key/api-key.decider';
import { apiKey } from './api-key/api-key.decider';
import { apiKeyRecord } from './api-key/api-key.record';

const AT = '2026-03-02T12:00:00.000Z';
const FINGERPRINT = 'f'.repeat(64);
const HOLDER = holderIdOf(FINGERPRINT);
const sealed = (text: string, subject = HOLDER): Sealed => `sealed:v1:${subject}:${text}`;

const PARTNER_ID = derivedId('test', 'partner');
const CHILD_ID = derivedId('test', 'child');
const holder = { holderId: HOLDER, legalName: sealed('name'), taxId: sealed('tax'), taxIdFingerprint: FINGERPRINT };
const bankAccount = { bankCode: '001', branch: sealed('branch'), number: sealed('number') };
const partnerTerms = {
  ...holder,
  accountId: PARTNER_ID,
  parentId: null,
  alias: 'Acme',
  externalId: null,
  onboardingMode: 'kyc' as const,
  capabilities: ['manage-holders'],
};
const childTerms = {
  ...partnerTerms,
  accountId: CHILD_ID,
  parentId: PARTNER_ID,
  alias: 'Account 1',
  onboardingMode: null,
  capabilities: [],
};

const partnerOpened = new AccountOpened({ ...partnerTerms, openedAt: AT });
const childOpened = new AccountOpened({ ...childTerms, openedAt: AT });
const openPartner: Open = { kind: 'open', terms: partnerTerms, bankAccount: null, parent: null, at: AT };
const partner = scenario(account).given(partnerOpened).state();
const openChild: Open = { kind: 'open', terms: childTerms, bankAccount, parent: partner, at: AT };

const faults = (refusal: unknown) => (refusal as Refusal).violations.map(({ code, path }) => `${code} ${path}`);
const onAccounts = scenario(account);

describe('an account', () => {
  it('opens as a partner or under one, with the bank account of its holder', () => {
    onAccounts.given().when(openPartner).then(partnerOpened);
    onAccounts
      .given()
      .when(openChild)
      .then(childOpened, new BankAccountRegistered({ ...bankAccount, accountId: CHILD_ID }));
  });

  it('answers the same opening again, and refuses other data under the same id', () => {
    const opened = onAccounts.given(partnerOpened);
    opened.when({ ...openPartner, terms: { ...partnerTerms, legalName: sealed('name, sealed again') } }).then();
    for (const other of [
      { alias: 'Other' },
      { externalId: 'x' },
      { onboardingMode: 'reliance' as const },
      { capabilities: [] },
      { taxIdFingerprint: 'e'.repeat(64) },
    ]) {
      expect(faults(opened.when({ ...openPartner, terms: { ...partnerTerms, ...other } }).refusal())).toEqual([
        'account-already-exists account-id',
      ]);
    }
  });

  it('needs a parent that exists, is a partner ("no grandchildren") and is active', () => {
    const under = (parent: Open['parent']) =>
      faults(
        onAccounts
          .given()
          .when({ ...openChild, parent })
          .refusal(),
      );
    expect(under({ status: 'absent' })).toEqual(['parent-account-not-found parent-id']);
    expect(under(onAccounts.given(childOpened).state())).toEqual(['parent-not-a-partner parent-id']);
    expect(
      under(
        onAccounts
          .given(
            partnerOpened,
            new AccountFrozen({
              accountId: PARTNER_ID,
              reason: 'compliance',
              evidence: null,
              requestedBy: null,
              confirmedBy: null,
              frozenAt: AT,
            }),
          )
          .state(),
      ),
    ).toEqual(['account-not-active parent-id']);
  });

  it('has an onboarding mode exactly when it is a partner', () => {
    expect(
      faults(
        onAccounts
          .given()
          .when({ ...openPartner, terms: { ...partnerTerms, onboardingMode: null } })
          .refusal(),
      ),
    ).toEqual(['missing-field onboarding-mode']);
    expect(
      faults(
        onAccounts
          .given()
          .when({ ...openChild, terms: { ...childTerms, onboardingMode: 'kyc' } })
          .refusal(),
      ),
    ).toEqual(['unknown-field onboarding-mode']);
  });

  it('tells all violations of an opening at once', () => {
    const terms = {
      ...partnerTerms,
      accountId: 'no-uuid',
      alias: '',
      externalId: 'a b',
      onboardingMode: null,
      capabilities: ['manage-holders', 'fly'],
    };
    expect(
      faults(
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
        faults(
          onAccounts
            .given()
            .when({ ...openPartner, terms: { ...partnerTerms, alias } })
            .refusal(),
        ),
      ).toEqual(['invalid-format alias']);
    }
  });

  it('takes personal fields only as sealed under the holder, so that erasing the person erases them', () => {
    const other = derivedId('person', 'another');
    for (const wrong of [
      { legalName: 'Maria' as Sealed },
      { taxId: sealed('tax', other) },
      { holderId: other, legalName: sealed('n', other), taxId: sealed('t', other) },
    ]) {
      expect(
        faults(
          onAccounts
            .given()
            .when({ ...openPartner, terms: { ...partnerTerms, ...wrong } })
            .refusal(),
        ),
      ).toEqual(['invalid-format legal-name']);
    }
    const digits = { ...holder, taxIdFingerprint: '52998224725', holderId: holderIdOf('52998224725') };
    expect(
      faults(
        onAccounts
          .given()
          .when({ ...openPartner, terms: { ...partnerTerms, ...digits } })
          .refusal(),
      ),
    ).toEqual(['invalid-format legal-name']);
    expect(
      faults(
        onAccounts
          .given()
          .when({ ...openPartner, bankAccount: { ...bankAccount, bankCode: 'Joana Lima' } })
          .refusal(),
      ),
    ).toEqual(['invalid-bank-account bank-account']);
    const foreign = { ...bankAccount, number: '12345-6' as Sealed };
    expect(
      faults(
        onAccounts
          .given()
          .when({ ...openPartner, bankAccount: foreign })
          .refusal(),
      ),
    ).toEqual(['invalid-bank-account bank-account']);
    expect(
      faults(onAccounts.given(partnerOpened).when({ kind: 'register-bank-account', bankAccount: foreign }).refusal()),
    ).toEqual(['invalid-bank-account bank-account']);
  });

  it('grants and revokes known capabilities, once each, all or nothing', () => {
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
      faults(
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
      faults(
        opened.when({ kind: 'change-capabilities', grant: ['manage-holders'], revoke: ['manage-holders'] }).refusal(),
      ),
    ).toEqual(['invalid-format revoke[0]']);
  });

  it('that does not exist is refused by everything but an opening', () => {
    for (const command of [
      { kind: 'change-capabilities', grant: [], revoke: [] },
      { kind: 'register-bank-account', bankAccount },
      { kind: 'freeze-automatically', reason: 'compliance', evidence: null, at: AT },
    ] as const)
      expect(faults(onAccounts.given().when(command).refusal())).toEqual(['account-not-found account-id']);
  });

  it('shows nothing personal in its record, and the sealed fields in its holder', () => {
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

const pem = (key: { export(options: { type: 'spki'; format: 'pem' }): string | Buffer }) =>
  key.export({ type: 'spki', format: 'pem' }).toString();
const ed25519 = generateKeyPairSync('ed25519');
const KEY_ID = `ak_test_${'a1'.repeat(12)}`;
const keyTerms = {
  keyId: KEY_ID,
  accountId: PARTNER_ID,
  name: 'backend',
  access: 'read-write' as const,
  credential: { kind: 'bearer' as const, secretHash: '0'.repeat(64) },
  ipAllowlist: [],
  rateLimits: null,
};
const createKey: Create = {
  kind: 'create',
  terms: keyTerms,
  environment: 'sandbox',
  accountStatus: 'active',
  materialViolations: [],
};
const keyCreated = new ApiKeyCreated(keyTerms);
const onKeys = scenario(apiKey);

describe('an API key', () => {
  it('is made once, and never changes', () => {
    onKeys.given().when(createKey).then(keyCreated);
    onKeys.given(keyCreated).when(createKey).then();
    expect(
      faults(
        onKeys
          .given(keyCreated)
          .when({ ...createKey, terms: { ...keyTerms, access: 'read-only' } })
          .refusal(),
      ),
    ).toEqual(['api-key-already-exists key-id']);
  });

  it('is revoked at once and for good, for a reason from the list', () => {
    const revoked = new ApiKeyRevoked({ keyId: KEY_ID, accountId: PARTNER_ID, reason: 'rotated' });
    onKeys.given(keyCreated).when({ kind: 'revoke', reason: 'rotated' }).then(revoked);
    onKeys.given(keyCreated, revoked).when({ kind: 'revoke', reason: 'compromised' }).then();
    onKeys.given(keyCreated, revoked).when(createKey).then();
    expect(faults(onKeys.given(keyCreated).when({ kind: 'revoke', reason: 'because' }).refusal())).toEqual([
      'invalid-enum-value reason',
    ]);
    expect(faults(onKeys.given().when({ kind: 'revoke', reason: 'rotated' }).refusal())).toEqual([
      'api-key-not-found key-id',
    ]);
    const state = onKeys.given(keyCreated, revoked).state();
    expect(state.status === 'absent' ? state : apiKeyRecord(state)).toEqual({ ...keyTerms, revoked: true });
  });

  it('"In the sandbox environment alone, a key may be created without a public key", of the environment\'s own prefix', () => {
    const live = { ...keyTerms, keyId: `ak_live_${'a1'.repeat(12)}` };
    expect(
      faults(
        onKeys
          .given()
          .when({ ...createKey, terms: live, environment: 'production' })
          .refusal(),
      ),
    ).toEqual(['bearer-key-not-allowed bearer']);
    expect(
      faults(
        onKeys
          .given()
          .when({ ...createKey, terms: live })
          .refusal(),
      ),
    ).toEqual(['invalid-format key-id']);
    expect(
      faults(
        onKeys
          .given()
          .when({ ...createKey, environment: 'production' })
          .refusal(),
      ),
    ).toEqual(['invalid-format key-id', 'bearer-key-not-allowed bearer']);
    expect(
      faults(
        onKeys
          .given()
          .when({ ...createKey, terms: { ...keyTerms, credential: { kind: 'bearer', secretHash: 'sk_test_clear' } } })
          .refusal(),
      ),
    ).toEqual(['invalid-format bearer']);
  });

  it('belongs to an active account and has a name, sane rates and a short allowlist', () => {
    const refused = (change: Partial<Create>, terms: Partial<Create['terms']> = {}) =>
      faults(
        onKeys
          .given()
          .when({ ...createKey, ...change, terms: { ...keyTerms, ...terms } })
          .refusal(),
      );
    expect(refused({ accountStatus: 'absent' })).toEqual(['account-not-found account-id']);
    expect(refused({ accountStatus: 'frozen' })).toEqual(['account-not-active account-id']);
    expect(refused({}, { name: '' })).toEqual(['invalid-format name']);
    expect(
      refused({}, { rateLimits: { writesPerSecond: 0, writeBurst: 1, readsPerSecond: 1.5, readBurst: 1 } }),
    ).toEqual(['invalid-format rate-limits.writes-per-second', 'invalid-format rate-limits.reads-per-second']);
    expect(refused({}, { ipAllowlist: Array.from({ length: 101 }, () => '10.0.0.1') })).toEqual([
      'invalid-format ip-allowlist',
    ]);
  });

  it('takes an RSA key of 2048 bits or more for RS256, P-256 for ES256, Ed25519 for EdDSA, and nothing else', () => {
    const keys = {
      rsa2048: pem(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey),
      rsa1024: pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey),
      p256: pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
      p384: pem(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey),
      secp256k1: pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey),
      ed25519: pem(ed25519.publicKey),
      ed448: pem(generateKeyPairSync('ed448').publicKey),
    };
    const good = new Set(['RS256 rsa2048', 'ES256 p256', 'EdDSA ed25519']);
    for (const algorithm of ['RS256', 'ES256', 'EdDSA'] as const) {
      for (const [name, publicKey] of Object.entries(keys)) {
        const found = materialViolations({ kind: 'jwt', algorithm, publicKey }, []).map(({ code }) => code);
        expect([`${algorithm} ${name}`, found]).toEqual([
          `${algorithm} ${name}`,
          good.has(`${algorithm} ${name}`) ? [] : ['invalid-public-key'],
        ]);
      }
    }
  });

  it('refuses a private key, whatever it is dressed in, and text that is no key, without repeating it', () => {
    const secret = ed25519.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const relabelled = secret.replaceAll('PRIVATE', 'PUBLIC');
    for (const publicKey of [
      secret,
      pem(ed25519.publicKey) + secret,
      relabelled,
      'MFkw',
      '',
      `-----BEGIN PUBLIC KEY-----\n${'A'.repeat(5000)}\n-----END PUBLIC KEY-----`,
    ]) {
      const [violation, ...more] = materialViolations({ kind: 'jwt', algorithm: 'EdDSA', publicKey }, []);
      expect([violation?.code, more.length]).toEqual(['invalid-public-key', 0]);
      expect(JSON.stringify(violation)).not.toContain(secret.split('\n')[1] as string);
    }
  });

  it('has an allowlist of addresses and CIDR blocks', () => {
    const bearer = keyTerms.credential;
    expect(materialViolations(bearer, ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', '2001:db8::/32'])).toEqual([]);
    const bad = [
      '10.0.0',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '::/129',
      'fe80::1%eth0',
      'example.com',
      '',
      '010.0.0.1',
    ];
    expect(materialViolations(bearer, bad).map(({ path }) => path)).toEqual(bad.map((_, at) => `ip-allowlist[${at}]`));
  });
});
