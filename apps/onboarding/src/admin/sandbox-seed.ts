import type { ApiKeyRecord } from '@ponte/contracts';
import { CAPABILITIES, GetAccount, GetApiKey, KEY_ID_BYTES, keyIdOfBearer, newApiKeyId, secretHashOf } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { ownInitiative } from '@ponte/nest';
import type { BusOperations } from './bus-operations';
import { busOperations } from './bus-operations';

export interface SandboxSeed {
  readonly partnerId: string;
  readonly subaccountId: string;
  /** The partner's read-write bearer key. */
  readonly apiKey: string;
}

/** Ids follow from names, so that a second seeding finds what the first one made. */
const PARTNER_ID = derivedId('sandbox', 'partner');
const SUBACCOUNT_ID = derivedId('sandbox', 'sub-account');
const ACTOR = 'sandbox-seed';
const RATE_LOCKS = ['5m', '30m', '1h', '24h'].map((name) => `rate-lock-${name}`);
/** One key is spent each time that the caller lost the last one; nobody loses so many. */
const MAX_KEYS = 1_000;

const PARTNER = {
  parentId: null, alias: 'Ponte Sandbox Partner', externalId: 'sandbox-partner', onboardingMode: 'kyc', capabilities: [...CAPABILITIES, ...RATE_LOCKS],
  legalName: 'Ponte Sandbox Partner Ltda', taxId: '11222333000181', bankAccount: null,
} as const;
const SUBACCOUNT = {
  parentId: PARTNER_ID, alias: 'Sandbox Account', externalId: 'sandbox-account', onboardingMode: null,
  capabilities: ['international-travels', 'pay-after-acceptance', ...RATE_LOCKS],
  legalName: 'Joana Exemplo da Silva', taxId: '52998224725', bankAccount: { bankCode: '001', branch: '1234', number: '1234567-8' },
} as const;

/**
 * A partner, one of its sub-accounts and a key, made once and then found again. `knownKey` is the key in clear that an
 * earlier seeding answered; when it is lost or no longer good, what that seeding made is revoked and a new key is answered.
 * The caller keeps the answer: only the key's hash is stored.
 */
export async function seedSandbox(engines: Pick<Engines, 'bus' | 'personalData' | 'ids' | 'runtime'>, knownKey: string | null): Promise<SandboxSeed> {
  const { bus, ids, runtime } = engines;
  if (runtime.environment !== 'sandbox') throw new Error('only a sandbox is seeded');
  const operations = busOperations(engines, ACTOR);
  const context = ownInitiative(ids, ACTOR);
  // What is there stays as its user has made it.
  const isOpen = async (accountId: string) => (await bus.request(GetAccount, { accountId }, context)) !== null;
  if (!(await isOpen(PARTNER_ID))) await operations.openAccount(PARTNER, PARTNER_ID);
  if (!(await isOpen(SUBACCOUNT_ID))) await operations.openAccount(SUBACCOUNT, SUBACCOUNT_ID);
  const find = (keyId: string) => bus.request(GetApiKey, { keyId }, context);
  const known = knownKey === null ? undefined : keyIdOfBearer(knownKey);
  const record = known === undefined ? null : await find(known);
  const apiKey = knownKey !== null && record !== null && isGood(record, knownKey) ? knownKey : await replaceKey(operations, find);
  return { partnerId: PARTNER_ID, subaccountId: SUBACCOUNT_ID, apiKey };
}

const isGood = ({ accountId, revoked, credential }: ApiKeyRecord, secret: string): boolean =>
  accountId === PARTNER_ID && !revoked && credential.kind === 'bearer' && credential.secretHash === secretHashOf(secret);

async function replaceKey(operations: BusOperations, find: (keyId: string) => Promise<ApiKeyRecord | null>): Promise<string> {
  for (let count = 0; count < MAX_KEYS; count += 1) {
    const keyId = newApiKeyId('sandbox', Buffer.from(derivedId('sandbox', 'api-key', String(count)).replaceAll('-', ''), 'hex').subarray(0, KEY_ID_BYTES));
    const record = await find(keyId);
    if (record === null) return secretOf(await operations.createKey({ accountId: PARTNER_ID, name: 'sandbox', access: 'read-write', credential: { kind: 'bearer' }, ipAllowlist: [] }, keyId));
    if (!record.revoked) await operations.revokeKey(keyId, 'secret-lost');
  }
  throw new Error(`the sandbox has lost ${MAX_KEYS} keys; reset it`);
}

function secretOf({ secret }: { readonly secret: string | null }): string {
  if (secret === null) throw new Error('a bearer key came without its secret');
  return secret;
}
