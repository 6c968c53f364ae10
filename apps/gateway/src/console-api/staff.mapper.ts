import type { ApiKeyCredential, ApiKeyRecord, OpenAccountPayload, RateLimits } from '@ponte/contracts';
import { capabilityViolations, materialViolations, sealBankAccount, sealHolder, secretHashOf } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { fromWire, refuseAll, toWire } from '@ponte/kernel';
import { isPlainObject } from '../validation/fields';
import type { ApiKeyDto, CreateApiKeyDto, RateLimitsDto } from './api-key.dto';
import type { OpenAccountDto } from './staff.dto';

/**
 * Seals personal data before it leaves the gateway. Values of a wrong form are refused here and do not leave it,
 * because they may contain anything.
 */
export async function openAccountPayload(
  body: OpenAccountDto,
  accountId: string,
  personalData: PersonalData,
): Promise<OpenAccountPayload> {
  const holder = await sealHolder(
    personalData,
    { legalName: body['legal-name'], taxId: body['tax-id'] },
    { alias: body.alias, externalId: body['external-id'] ?? null },
  );
  const bank = body['bank-account'];
  const { capabilities = [] } = body;
  refuseAll(capabilityViolations(capabilities, 'capabilities'));
  return {
    ...holder,
    accountId,
    ...fromWire(body, 'parentId', 'alias', 'externalId', 'onboardingMode'),
    capabilities,
    bankAccount: bank
      ? await sealBankAccount(personalData, holder.holderId, {
          bankCode: bank['bank-code'],
          branch: bank['branch-number'],
          number: bank['account-number'],
        })
      : null,
  };
}

/** The parts of a new key. Of the secret, only a hash is stored. */
interface MadeCredential {
  readonly credential: ApiKeyCredential;
  readonly ipAllowlist: readonly string[];
  readonly secret?: string;
}

const SIGNING = ['public-key', 'algorithm'];

/** Violations of: a bearer key has neither public key nor algorithm, any other key has both. */
export function keyViolations(body: unknown): Violation[] {
  if (!isPlainObject(body)) return [];
  const sent = SIGNING.filter((name) => body[name] !== undefined);
  switch (body['bearer'] === undefined ? false : body['bearer']) {
    case true:
      return sent.map((path) => ({ path, code: 'unknown-field', message: 'must not be set for a bearer key' }));
    case false:
      return SIGNING.filter((name) => !sent.includes(name)).map((path) => ({
        path,
        code: 'missing-field',
        message: 'a key that signs tokens requires both public-key and algorithm',
      }));
  }
  return [];
}

/**
 * Returns the credential of a key that signs tokens or, with a secret from `makeSecret`, of a bearer key. {@link
 * keyViolations} must have passed. Refuses an invalid public key or address before any message is sent, because the
 * text may be a pasted private key.
 */
export function credentialOf(body: CreateApiKeyDto, makeSecret: () => string): MadeCredential {
  const { algorithm, bearer = false, 'ip-allowlist': ipAllowlist = [] } = body;
  const publicKey = body['public-key'];
  if (bearer) {
    const secret = makeSecret();
    return checked({ kind: 'bearer', secretHash: secretHashOf(secret) }, ipAllowlist, secret);
  }
  if (publicKey === undefined || algorithm === undefined)
    throw new TypeError('a key that signs tokens must have public-key and algorithm');
  return checked({ kind: 'jwt', algorithm, publicKey }, ipAllowlist);
}

function checked(credential: ApiKeyCredential, ipAllowlist: readonly string[], secret?: string): MadeCredential {
  refuseAll(materialViolations(credential, ipAllowlist));
  return { credential, ipAllowlist, ...(secret === undefined ? {} : { secret }) };
}

/** Returns null, which means the defaults of the environment, when no limits were sent. */
export const rateLimitsOf = (sent: RateLimitsDto | undefined): RateLimits | null =>
  sent === undefined ? null : fromWire(sent, 'writesPerSecond', 'writeBurst', 'readsPerSecond', 'readBurst');

export const apiKeyDto = (key: ApiKeyRecord, secret?: string): ApiKeyDto => ({
  id: key.keyId,
  ...toWire(key, 'accountId', 'name', 'access', 'revoked'),
  'rate-limits':
    key.rateLimits && toWire(key.rateLimits, 'writesPerSecond', 'writeBurst', 'readsPerSecond', 'readBurst'),
  ...(secret === undefined ? {} : { secret }),
});
