import type { ApiKeyCredential, ApiKeyRecord, OpenAccountPayload, RateLimits } from '@ponte/contracts';
import { capabilityViolations, materialViolations, sealBankAccount, sealHolder, secretHashOf } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Violation } from '@ponte/kernel';
import { refuseAll } from '@ponte/kernel';
import { isPlainObject } from '../validation/members';
import type { ApiKeyDto, CreateApiKeyDto, RateLimitsDto } from './api-key.dto';
import type { OpenAccountDto } from './staff.dto';

/**
 * Personal members are sealed before the message leaves the edge; whatever would be refused for its form, and may be
 * anything, does not leave it.
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
    parentId: body['parent-id'] ?? null,
    alias: body.alias,
    externalId: body['external-id'] ?? null,
    onboardingMode: body['onboarding-mode'] ?? null,
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

/** What a new key is made of; the secret is shown to its owner once and kept by no one. */
export interface MadeCredential {
  readonly credential: ApiKeyCredential;
  readonly ipAllowlist: readonly string[];
  readonly secret?: string;
}

const SIGNING = ['public-key', 'algorithm'];

/** A bearer key has neither public key nor algorithm, any other has both. */
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
 * A key either signs tokens or is a secret, which {@link keyViolations} made sure of; `makeSecret` is asked only for
 * the latter. Refuses what is no public key and no address here, before any message: someone may have pasted a private
 * key.
 */
export function credentialOf(body: CreateApiKeyDto, makeSecret: () => string): MadeCredential {
  const { algorithm, bearer = false, 'ip-allowlist': ipAllowlist = [] } = body;
  const publicKey = body['public-key'];
  if (bearer) {
    const secret = makeSecret();
    return checked({ kind: 'bearer', secretHash: secretHashOf(secret) }, ipAllowlist, secret);
  }
  if (publicKey === undefined || algorithm === undefined) throw new TypeError('the form of the key was not checked');
  return checked({ kind: 'jwt', algorithm, publicKey }, ipAllowlist);
}

function checked(credential: ApiKeyCredential, ipAllowlist: readonly string[], secret?: string): MadeCredential {
  refuseAll(materialViolations(credential, ipAllowlist));
  return { credential, ipAllowlist, ...(secret === undefined ? {} : { secret }) };
}

/** Null, the defaults of the environment, when none were sent. */
export const rateLimitsOf = (sent: RateLimitsDto | undefined): RateLimits | null =>
  sent === undefined
    ? null
    : {
        writesPerSecond: sent['writes-per-second'],
        writeBurst: sent['write-burst'],
        readsPerSecond: sent['reads-per-second'],
        readBurst: sent['read-burst'],
      };

const rateLimitsDto = ({ writesPerSecond, writeBurst, readsPerSecond, readBurst }: RateLimits): RateLimitsDto => ({
  'writes-per-second': writesPerSecond,
  'write-burst': writeBurst,
  'reads-per-second': readsPerSecond,
  'read-burst': readBurst,
});

export const apiKeyDto = (key: ApiKeyRecord, secret?: string): ApiKeyDto => ({
  id: key.keyId,
  'account-id': key.accountId,
  name: key.name,
  access: key.access,
  revoked: key.revoked,
  'rate-limits': key.rateLimits && rateLimitsDto(key.rateLimits),
  ...(secret === undefined ? {} : { secret }),
});
