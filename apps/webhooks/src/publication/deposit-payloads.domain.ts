import type { DepositCredited, DepositVoided, TokenCoordinates } from '@ponte/contracts';
import { isBankCoordinates, isTokenCoordinates } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';

/** In place of what would tell who sent money that was not taken: the sender is a stranger to the account. */
export const MASKED = '***';

export const depositProcessed = (data: DepositCredited['data']) =>
  isTokenCoordinates(data.coordinates) ? tokensReceived(data, data.coordinates) : fiatReceived(data);

/** A deposit of tokens. */
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

/** A deposit of fiat money. The sender's own members stay sealed here and are opened when the event is sent. */
const fiatReceived = (data: DepositCredited['data']) => ({
  'deposit-id': data.depositId,
  'account-id': data.accountId,
  amount: data.amount,
  status: 'credited',
  'deposit-type': data.type,
  'processed-at': data.processedAt,
  ...sourceOf(data.coordinates),
});

/** Nothing of it applies to USD, whose sender no bank names to us. */
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

/** What is passed on of who sent a deposit. */
export interface VoidedSource {
  readonly sourceTaxId: Sealed | null;
  readonly sourceBankCode: string | null;
}

/**
 * Ours: the members of `deposit-processed` with the sender masked, and why the money went back. The tax id stays sealed
 * here and is masked as everywhere when it is sent ({@link shown}); null where nothing is known of the sender.
 */
export const depositVoided = (data: DepositVoided['data'], accountId: string, source: VoidedSource) =>
  data.tokenCoordinates ? tokensVoided(data, data.tokenCoordinates, accountId) : fiatVoided(data, accountId, source);

/** Tokens whose block was replaced. Addresses are public, so nothing is masked. */
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
