import type {
  ClearWithdrawalTarget,
  CreateWithdrawalPayload,
  WithdrawalFilters,
  WithdrawalMethod,
  WithdrawalRecord,
} from '@ponte/contracts';
import { sealWithdrawalTarget } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import type { AssetId, Violation } from '@ponte/kernel';
import { childId, derivedId, isAssetId, fromWire, isToken, toWire, toWireIfSet } from '@ponte/kernel';
import type { Call } from '../../edge/request-context.service';
import type { OpensPersonalData } from '../../personal-data/shown-personal-data.service';
import { isPlainObject } from '../../validation/fields';
import { METHOD_FIELDS } from './withdrawal-request.dto';
import type { WithdrawalDto, WithdrawalsQuery } from './withdrawal.dto';
import type { WithdrawalRequestDto } from './withdrawal-request.dto';

/**
 * Violations that depend on the method. Null counts as absent, as in all requests. Without a method, the asset must be
 * a token. If it is unknown too, the fields of no method are judged.
 */
export function withdrawalViolations(body: unknown): Violation[] {
  if (!isPlainObject(body)) return [];
  const { asset, method } = body;
  if (isPresent(method)) return isMethod(method) ? memberViolations(body, method) : [];
  if (!isAssetId(asset)) return [];
  if (isToken(asset)) return memberViolations(body, 'token');
  return [{ path: 'method', code: 'missing-field', message: 'is required and must be pix or ted' }];
}

/** As {@link withdrawalViolations}, for a withdrawal of BRL: tokens are not a method, and the method is required. */
export function brlWithdrawalViolations(body: unknown): Violation[] {
  if (!isPlainObject(body)) return [];
  const { method } = body;
  return isMethod(method) && method !== 'token' ? memberViolations(body, method, BRL_FIELDS) : [];
}

const ALL_FIELDS = Object.values(METHOD_FIELDS).flat();
const BRL_FIELDS = [...METHOD_FIELDS.pix, ...METHOD_FIELDS.ted];

const memberViolations = (
  body: Readonly<Record<string, unknown>>,
  method: WithdrawalMethod,
  fields = ALL_FIELDS,
): Violation[] =>
  fields.flatMap((path): Violation[] => {
    const [present, needed] = [isPresent(body[path]), METHOD_FIELDS[method].includes(path)];
    if (present === needed) return [];
    return [
      {
        path,
        code: needed ? 'missing-field' : 'unknown-field',
        message: needed ? `is required by method ${method}` : `does not belong to method ${method}`,
      },
    ];
  });

/** The id derives from the scope of the idempotency key: one key means one withdrawal, without a time limit. */
export async function createPayload(
  body: Omit<WithdrawalRequestDto, 'asset'>,
  asset: AssetId,
  call: Call,
  personalData: Pick<PersonalData, 'seal'>,
): Promise<CreateWithdrawalPayload> {
  const { held } = call;
  return {
    withdrawalId: held ? derivedId('withdrawal', held.scope) : childId(call.id, 'withdrawal'),
    accountId: call.accountId,
    callerAccountId: call.caller?.accountId ?? '',
    keyHash: held?.scope ?? null,
    bodyHash: held?.bodyHash ?? null,
    asset,
    ...fromWire(body, 'method', 'amount', 'externalId'),
    target: await sealWithdrawalTarget(personalData, targetOf(body)),
  };
}

const targetOf = (body: Omit<WithdrawalRequestDto, 'asset'>): ClearWithdrawalTarget => ({
  ...fromWire(body, 'pixKey', 'bankCode', 'branchNumber', 'accountNumber'),
  ...fromWire(body, 'accountHolderName', 'accountHolderTaxId', 'destinationWalletAddress'),
});

export const withdrawalFilters = (query: WithdrawalsQuery, asset = query.asset): WithdrawalFilters => ({
  asset: asset ?? null,
  ...fromWire(query, 'state', 'method', 'externalId'),
});

/**
 * Personal data is in clear, because the account itself sent it. Fields that do not apply are absent. `end-to-end-id`
 * and `tx-hash` are null until they are known, and absent from a withdrawal that was rolled back without them.
 */
export async function withdrawalDto(record: WithdrawalRecord, personalData: OpensPersonalData): Promise<WithdrawalDto> {
  return {
    ...toWire(record, 'id', 'asset', 'amount', 'method', 'state', 'stateUpdatedAt', 'createdAt'),
    ...toWireIfSet(record, 'scheduledFor'),
    ...(await targetDto(record, personalData)),
    ...paymentDto(record),
    ...toWireIfSet(record, 'externalId', 'orderId', 'failure'),
  };
}

async function targetDto(
  { id: withdrawalId, accountId, target }: WithdrawalRecord,
  personalData: OpensPersonalData,
): Promise<Partial<WithdrawalDto>> {
  const clearText = (sealed: Sealed) => personalData.open(sealed, { accountId, withdrawalId });
  switch (target.method) {
    case 'pix':
      return { 'pix-key': await clearText(target.pixKey) };
    case 'token':
      return { 'destination-wallet-address': target.destinationWalletAddress };
    case 'ted': {
      const { bankCode, branchCode, accountNumber, legalName, taxId } = target.payee;
      return {
        'bank-code': bankCode,
        'branch-number': await clearText(branchCode),
        'account-number': await clearText(accountNumber),
        'account-holder-name': await clearText(legalName),
        'account-holder-tax-id': await clearText(taxId),
      };
    }
  }
}

/** What identifies the payment outside Ponte: a transaction of tokens, a payment at the bank otherwise. */
function paymentDto({ method, state, txHash, endToEndId }: WithdrawalRecord): Partial<WithdrawalDto> {
  const [field, id] = method === 'token' ? (['tx-hash', txHash] as const) : (['end-to-end-id', endToEndId] as const);
  return id === null && state === 'rolled-back' ? {} : { [field]: id };
}

const isMethod = (value: unknown): value is WithdrawalMethod =>
  typeof value === 'string' && Object.hasOwn(METHOD_FIELDS, value);
const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
