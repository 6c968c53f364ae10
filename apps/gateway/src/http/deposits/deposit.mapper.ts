import type { DepositFilters, DepositRecord, DepositVoidReason } from '@ponte/contracts';
import { isBankCoordinates } from '@ponte/contracts';
import { ERASED } from '@ponte/event-sourcing';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { maskTaxId } from '@ponte/kernel';
import type { CoordinatesDto, DepositDto, DepositsQuery } from './deposit.dto';

type Opening = Pick<PersonalData, 'open'>;

const MASKED = '***';

/** Why a deposit was sent back, for people. */
const REASONS: Readonly<Record<DepositVoidReason, string>> = {
  'payer-tax-id-mismatch': "The payer's tax id is not the account's.",
  'amount-mismatch': 'The amount is not that of the charge.',
  'paid-late': 'The payment settled after the expiration.',
  'paid-twice': 'The charge was paid before.',
  'charge-closed': 'The charge was closed.',
  'unknown-target': 'The code belongs to no account.',
  'account-not-active': 'The account is frozen or closed.',
  'order-rolled-back': 'The order was rolled back.',
  'taken-back': 'The bank took the payment back.',
  'refused-by-staff': 'The deposit was recorded by mistake.',
};

export const depositFilters = (query: DepositsQuery, assets: readonly AssetId[]): DepositFilters => ({
  assets,
  status: query.status ?? null,
  type: query.type ?? null,
  endToEndId: query['end-to-end-id'] ?? null,
});

/** The account's own view: personal fields in clear once the sender is known to be its holder, and not before. */
export async function depositDto(deposit: DepositRecord, personalData: Opening): Promise<DepositDto> {
  const { voidReason } = deposit;
  return {
    id: deposit.id,
    type: deposit.type,
    amount: deposit.amount,
    status: deposit.status,
    'status-updated-at': deposit.statusUpdatedAt,
    coordinates: await coordinatesDto(deposit, personalData),
    'end-to-end-id': deposit.endToEndId,
    ...(deposit.orderId === null ? {} : { 'order-id': deposit.orderId }),
    ...(deposit.withdrawalId === null ? {} : { 'withdrawal-id': deposit.withdrawalId }),
    'created-at': deposit.createdAt,
    ...(deposit.processedAt === null && deposit.status === 'voided' ? {} : { 'processed-at': deposit.processedAt }),
    ...(voidReason === null ? {} : { failure: { code: voidReason, message: REASONS[voidReason], retryable: false } }),
  };
}

async function coordinatesDto({ coordinates, status, type }: DepositRecord, personalData: Opening): Promise<CoordinatesDto> {
  if (!isBankCoordinates(coordinates)) {
    const open = async (sealed: Sealed | null) => (sealed === null ? null : personalData.open(sealed));
    return { source: await open(coordinates.source), target: await open(coordinates.target) };
  }
  // The first-party rule is judged between `created` and `confirmed`; until then, and when it failed, the sender may be anybody.
  const known = status === 'confirmed' || status === 'credited';
  const show = async (sealed: Sealed, mask: (text: string) => string): Promise<string> => {
    const clear = await personalData.open(sealed);
    return known || clear === ERASED ? clear : mask(clear);
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
