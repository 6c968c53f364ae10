import type { DepositCredited, DepositVoided, TokenCoordinates } from '@ponte/contracts';
import { isBankCoordinates, isTokenCoordinates } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';

/** Replaces fields that would identify the sender of a voided deposit, who is unknown to the account. */
export const MASKED = '***';

export const depositProcessed = (data: DepositCredited['data']) =>
  isTokenCoordinates(data.coordinates) ? tokensReceived(data, data.coordinates) : fiatReceived(data);

const tokensReceived = (data: DepositCredited['data'], { sourceAddress, targetAddress, txHash }: TokenCoordinates) => ({
  'deposit-id': data.depositId,
  'account-id': data.accountId,
  asset: data.asset,
  amount: data.amount,
  status: 'credited',
  'deposit-type': data.type,
  'source-address': sourceAddress,
  'target-address': targetAddress,
  'tx-hash': txHash,
  'created-at': data.createdAt ?? data.processedAt,
});

/** The personal fields of the sender stay sealed here and are opened when the event is sent. */
const fiatReceived = (data: DepositCredited['data']) => ({
  'deposit-id': data.depositId,
  'account-id': data.accountId,
  asset: data.asset,
  amount: data.amount,
  status: 'credited',
  'deposit-type': data.type,
  'processed-at': data.processedAt,
  ...sourceOf(data.coordinates),
});

/** Empty for USD, because the bank does not report its sender. */
const sourceOf = (coordinates: DepositCredited['data']['coordinates']) =>
  !isBankCoordinates(coordinates)
    ? {}
    : {
        'source-legal-name': coordinates.sourceLegalName,
        'source-tax-id': coordinates.sourceTaxId,
        'source-bank-code': coordinates.sourceBankCode,
        'source-branch-code': coordinates.sourceBranchCode,
        'source-account-number': coordinates.sourceAccountNumber,
      };

/** The parts of the sender's data that are published for a voided deposit. */
export interface VoidedSource {
  readonly sourceTaxId: Sealed | null;
  readonly sourceBankCode: string | null;
}

/**
 * Says why the deposit was voided. A fiat deposit has the fields of `deposit-processed` with the sender masked: the
 * tax id stays sealed here and is partly masked when it is sent ({@link openedPayload}). Without a known sender, the
 * tax id is masked completely and the bank code is absent.
 */
export const depositVoided = (data: DepositVoided['data'], accountId: string, source: VoidedSource) =>
  data.tokenCoordinates ? tokensVoided(data, data.tokenCoordinates, accountId) : fiatVoided(data, accountId, source);

/**
 * A token deposit is voided when its block is replaced, or when staff refuse its sender. Addresses are public, so
 * nothing is masked.
 */
const tokensVoided = (
  data: DepositVoided['data'],
  { sourceAddress, targetAddress, txHash }: TokenCoordinates,
  accountId: string,
) => ({
  'deposit-id': data.depositId,
  'account-id': accountId,
  asset: data.asset,
  amount: data.amount,
  status: 'voided',
  'deposit-type': data.type,
  'voided-at': data.voidedAt,
  reason: data.reason,
  'source-address': sourceAddress,
  'target-address': targetAddress,
  'tx-hash': txHash,
});

const fiatVoided = (data: DepositVoided['data'], accountId: string, source: VoidedSource) => ({
  'deposit-id': data.depositId,
  'account-id': accountId,
  asset: data.asset,
  amount: data.amount,
  status: 'voided',
  'deposit-type': data.type,
  'voided-at': data.voidedAt,
  reason: data.reason,
  ...(data.orderId === null ? {} : { 'order-id': data.orderId }),
  'source-legal-name': MASKED,
  'source-tax-id': source.sourceTaxId ?? MASKED,
  'source-bank-code': source.sourceBankCode,
  'source-branch-code': MASKED,
  'source-account-number': MASKED,
});
