import type { ApiKeyCredential, ApiKeyRecord, OpenAccountPayload } from '@ponte/contracts';
import { sealBankAccount, sealHolder, secretHashOf } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Fault } from '@ponte/kernel';
import { parseEvmAddress } from '@ponte/kernel';
import { isPlainObject } from '../../shape/plain-object';
import type { ApiKeyDto, CreateApiKeyDto, OpenAccountDto, OperatorWalletDto } from './staff.dto';

/** Personal members are sealed before the message leaves the edge. */
export async function openAccountPayload(body: OpenAccountDto, accountId: string, personalData: PersonalData): Promise<OpenAccountPayload> {
  const holder = await sealHolder(
    personalData, { legalName: body['legal-name'], taxId: body['tax-id'] }, { alias: body.alias, externalId: body['external-id'] ?? null },
  );
  const bank = body['bank-account'];
  return {
    ...holder,
    accountId,
    parentId: body['parent-id'] ?? null,
    alias: body.alias,
    externalId: body['external-id'] ?? null,
    onboardingMode: body['onboarding-mode'] ?? null,
    capabilities: body.capabilities ?? [],
    bankAccount: bank
      ? await sealBankAccount(personalData, holder.holderId, { bankCode: bank['bank-code'], branch: bank['branch-number'], number: bank['account-number'] })
      : null,
  };
}

const SIGNING = ['public-key', 'algorithm'];

/** A bearer key has neither public key nor algorithm, any other has both. */
export function keyFaults(body: unknown): Fault[] {
  if (!isPlainObject(body)) return [];
  const sent = SIGNING.filter((name) => body[name] !== undefined);
  switch (body['bearer'] === undefined ? false : body['bearer']) {
    case true: return sent.map((path) => ({ path, code: 'unknown-field', message: 'a bearer key has no public key' }));
    case false: return SIGNING.filter((name) => !sent.includes(name)).map((path) => ({ path, code: 'missing-field', message: 'a key that signs has a public key and its algorithm' }));
  }
  return [];
}

/** A key either signs tokens or is a secret, which {@link keyFaults} made sure of; `makeSecret` is asked only for the latter. */
export function credentialOf(body: CreateApiKeyDto, makeSecret: () => string): { credential: ApiKeyCredential; secret?: string } {
  const { algorithm, bearer = false } = body;
  const publicKey = body['public-key'];
  if (bearer) {
    const secret = makeSecret();
    return { credential: { kind: 'bearer', secretHash: secretHashOf(secret) }, secret };
  }
  if (publicKey === undefined || algorithm === undefined) throw new TypeError('the form of the key was not checked');
  return { credential: { kind: 'jwt', algorithm, publicKey } };
}

/** The wallet that an address names among those of an account. */
export function listedWallet(wallets: readonly OperatorWalletDto[], address: string): OperatorWalletDto {
  const parsed = parseEvmAddress(address);
  const listed = wallets.find((one) => parsed.ok && one.address === parsed.address);
  if (!listed) throw new TypeError('a wallet that was put on the list does not stand there');
  return { address: listed.address, fx: listed.fx };
}

export const apiKeyDto = (key: ApiKeyRecord, secret?: string): ApiKeyDto => ({
  id: key.keyId,
  'account-id': key.accountId,
  name: key.name,
  access: key.access,
  revoked: key.revoked,
  ...(secret === undefined ? {} : { secret }),
});
