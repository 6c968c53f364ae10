import type { DepositFilters, DepositRecord, DepositVoidReason } from '@ponte/contracts';
import {
  isBankCoordinates,
  isSealedFor,
  isTokenCoordinates,
  otherPayeeIdOf,
  RETRYABLE_PAYMENT_FAILURES,
} from '@ponte/contracts';
import { isPlaceholder } from '@ponte/event-sourcing';
import type { Sealed } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { fromWire, maskTaxId, toWire, toWireIfSet } from '@ponte/kernel';
import type { OpensPersonalData } from '../../personal-data/shown-personal-data.service';
import type { CoordinatesDto, DepositDto, DepositsQuery } from './deposit.dto';

const MASKED = '***';

/** The texts shown to people for why a deposit was sent back. */
const REASONS: Readonly<Record<DepositVoidReason, string>> = {
  'payer-tax-id-mismatch': "The payer's tax id is not that of the account's holder.",
  'amount-mismatch': 'The amount differs from the amount of the charge.',
  'paid-late': 'The payment settled after the charge expired.',
  'paid-twice': 'The charge had already been paid.',
  'charge-closed': 'The charge was closed.',
  'unknown-target': 'The code does not belong to an account.',
  'account-not-active': 'The account is frozen or closed.',
  'order-rolled-back': 'The order was rolled back.',
  'taken-back': 'The bank reversed the payment.',
  'refused-by-staff': 'The deposit was recorded by mistake.',
  compliance: 'The deposit was refused.',
  reorged:
    'The block of the transaction was replaced before it was final. If the transaction is in another block, that is a new deposit.',
};

export const depositFilters = (query: DepositsQuery, assets: readonly AssetId[]): DepositFilters => ({
  assets,
  ...fromWire(query, 'status', 'type', 'endToEndId'),
  txHash: query['tx-hash']?.toLowerCase() ?? null,
});

const failureOf = (code: DepositVoidReason) => ({
  code,
  message: REASONS[code],
  retryable: RETRYABLE_PAYMENT_FAILURES.has(code),
});

/** Masks the sender's personal data until the sender is known to be the holder. */
export async function depositDto(deposit: DepositRecord, personalData: OpensPersonalData): Promise<DepositDto> {
  const { voidReason } = deposit;
  return {
    ...toWire(deposit, 'id', 'type', 'amount', 'status', 'statusUpdatedAt'),
    coordinates: await coordinatesDto(deposit, personalData),
    ...toWireIfSet(deposit, 'endToEndId'),
    ...(isTokenCoordinates(deposit.coordinates) ? { asset: deposit.asset, 'tx-hash': deposit.coordinates.txHash } : {}),
    ...toWireIfSet(deposit, 'orderId', 'withdrawalId', 'returnedOrderId'),
    'created-at': deposit.createdAt,
    ...(deposit.processedAt === null && deposit.status === 'voided' ? {} : { 'processed-at': deposit.processedAt }),
    ...(voidReason === null ? {} : { failure: failureOf(voidReason) }),
  };
}

async function coordinatesDto(
  { id: depositId, accountId, coordinates, status, type, withdrawalId }: DepositRecord,
  personalData: OpensPersonalData,
): Promise<CoordinatesDto> {
  const clearText = (sealed: Sealed) => personalData.open(sealed, { accountId, depositId });
  if (isTokenCoordinates(coordinates)) return toWire(coordinates, 'sourceChain', 'sourceAddress', 'targetAddress');
  if (!isBankCoordinates(coordinates)) {
    const open = async (sealed: Sealed | null) => (sealed === null ? null : clearText(sealed));
    return { source: await open(coordinates.source), target: await open(coordinates.target) };
  }
  // The first-party rule is checked between `created` and `confirmed`. Before that, and when the check failed, the
  // sender may be a third party. The sender of a returned payout, which is exempt from the rule, is the payee.
  const isOther = withdrawalId !== null && isSealedFor(otherPayeeIdOf(withdrawalId), coordinates.sourceTaxId);
  const known = !isOther && (status === 'confirmed' || status === 'credited');
  const show = async (sealed: Sealed, mask: (text: string) => string): Promise<string> => {
    const clear = await clearText(sealed);
    return known || isPlaceholder(clear) ? clear : mask(clear);
  };
  const [taxId, account, branch] = await Promise.all([
    show(coordinates.sourceTaxId, maskTaxId),
    show(coordinates.sourceAccountNumber, () => MASKED),
    show(coordinates.sourceBranchCode, () => MASKED),
  ]);
  return {
    'source-tax-id': taxId,
    'source-bank-code': coordinates.sourceBankCode,
    'source-type': type === 'ted' ? 'ted' : 'pix',
    'source-account-number': account,
    'source-branch-code': branch,
    target: coordinates.target,
  };
}
