import type { DepositCredited, DepositVoided, TokenCoordinates } from '@ponte/contracts';
import { isBankCoordinates, isTokenCoordinates } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { toWire, toWireIfSet } from '@ponte/kernel';

/** Replaces fields that would identify the sender of a voided deposit, who is unknown to the account. */
export const MASKED = '***';

export const depositProcessed = (data: DepositCredited['data']) =>
  isTokenCoordinates(data.coordinates) ? tokensReceived(data, data.coordinates) : fiatReceived(data);

const tokensReceived = (data: DepositCredited['data'], coordinates: TokenCoordinates) => ({
  ...toWire(data, 'depositId', 'accountId', 'asset', 'amount'),
  status: 'credited',
  'deposit-type': data.type,
  ...toWire(coordinates, 'sourceAddress', 'targetAddress', 'txHash'),
  'created-at': data.createdAt ?? data.processedAt,
});

/** The personal fields of the sender stay sealed here and are opened when the event is sent. */
const fiatReceived = (data: DepositCredited['data']) => ({
  ...toWire(data, 'depositId', 'accountId', 'asset', 'amount'),
  status: 'credited',
  'deposit-type': data.type,
  'processed-at': data.processedAt,
  ...sourceOf(data.coordinates),
});

/** Empty for USD, because the bank does not report its sender. */
const sourceOf = (from: DepositCredited['data']['coordinates']) =>
  isBankCoordinates(from)
    ? toWire(from, 'sourceLegalName', 'sourceTaxId', 'sourceBankCode', 'sourceBranchCode', 'sourceAccountNumber')
    : {};

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
const tokensVoided = (data: DepositVoided['data'], coordinates: TokenCoordinates, accountId: string) => ({
  ...voided(data, accountId),
  ...toWire(coordinates, 'sourceAddress', 'targetAddress', 'txHash'),
});

const voided = (data: DepositVoided['data'], accountId: string) => ({
  'deposit-id': data.depositId,
  'account-id': accountId,
  ...toWire(data, 'asset', 'amount'),
  status: 'voided',
  'deposit-type': data.type,
  ...toWire(data, 'voidedAt', 'reason'),
});

const fiatVoided = (data: DepositVoided['data'], accountId: string, source: VoidedSource) => ({
  ...voided(data, accountId),
  ...toWireIfSet(data, 'orderId'),
  'source-legal-name': MASKED,
  'source-tax-id': source.sourceTaxId ?? MASKED,
  'source-bank-code': source.sourceBankCode,
  'source-branch-code': MASKED,
  'source-account-number': MASKED,
});
