import { generateKeyPairSync } from 'node:crypto';
import { ApiKeyCreated, ApiKeyRevoked, materialViolations } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Create } from './api-key.decider';
import { apiKey } from './api-key.decider';
import { apiKeyRecord } from './api-key.record';
import { PARTNER_ID, reported } from '../account/accounts.testing';

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

describe('An API key', () => {
  it('is created once, and never changes', () => {
    onKeys.given().when(createKey).then(keyCreated);
    onKeys.given(keyCreated).when(createKey).then();
    expect(
      reported(
        onKeys
          .given(keyCreated)
          .when({ ...createKey, terms: { ...keyTerms, access: 'read-only' } })
          .refusal(),
      ),
    ).toEqual(['api-key-already-exists key-id']);
  });

  it('is revoked at once and permanently, for a reason from the list', () => {
    const revoked = new ApiKeyRevoked({ keyId: KEY_ID, accountId: PARTNER_ID, reason: 'rotated' });
    onKeys.given(keyCreated).when({ kind: 'revoke', reason: 'rotated' }).then(revoked);
    onKeys.given(keyCreated, revoked).when({ kind: 'revoke', reason: 'compromised' }).then();
    onKeys.given(keyCreated, revoked).when(createKey).then();
    expect(reported(onKeys.given(keyCreated).when({ kind: 'revoke', reason: 'because' }).refusal())).toEqual([
      'invalid-enum-value reason',
    ]);
    expect(reported(onKeys.given().when({ kind: 'revoke', reason: 'rotated' }).refusal())).toEqual([
      'api-key-not-found key-id',
    ]);
    const state = onKeys.given(keyCreated, revoked).state();
    expect(state.status === 'absent' ? state : apiKeyRecord(state)).toEqual({ ...keyTerms, revoked: true });
  });

  it('may be created without a public key only in the sandbox, and has the prefix of its environment', () => {
    const live = { ...keyTerms, keyId: `ak_live_${'a1'.repeat(12)}` };
    expect(
      reported(
        onKeys
          .given()
          .when({ ...createKey, terms: live, environment: 'production' })
          .refusal(),
      ),
    ).toEqual(['bearer-key-not-allowed bearer']);
    expect(
      reported(
        onKeys
          .given()
          .when({ ...createKey, terms: live })
          .refusal(),
      ),
    ).toEqual(['invalid-format key-id']);
    expect(
      reported(
        onKeys
          .given()
          .when({ ...createKey, environment: 'production' })
          .refusal(),
      ),
    ).toEqual(['invalid-format key-id', 'bearer-key-not-allowed bearer']);
    expect(
      reported(
        onKeys
          .given()
          .when({ ...createKey, terms: { ...keyTerms, credential: { kind: 'bearer', secretHash: 'sk_test_clear' } } })
          .refusal(),
      ),
    ).toEqual(['invalid-format bearer']);
  });

  it('belongs to an active account and has a name, valid rates and a limited allowlist', () => {
    const refused = (change: Partial<Create>, terms: Partial<Create['terms']> = {}) =>
      reported(
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

  it('accepts RSA keys of 2048 bits or more for RS256, P-256 for ES256, Ed25519 for EdDSA, and nothing else', () => {
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

  it('refuses a private key in any disguise, and text that is not a key, without repeating it', () => {
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
