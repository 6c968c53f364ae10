import type { RedemptionPurpose } from '@ponte/contracts';
import { assetOf, isUuid, refuse } from '@ponte/kernel';
import { movableAmount } from '../token-movement/token-movement';

/** Refuses what cannot be redeemed, and gives the terms in the form in which they are kept. */
export function acceptableRedemption(terms: RedemptionPurpose): RedemptionPurpose {
  const { kind, id, orderId, accountId, asset, amount, walletIds, leastBrl } = terms;
  if (!isUuid(id)) refuse('invalid-format', 'must be a UUID', 'settlement-id');
  const { symbol } = assetOf(asset);
  if (symbol !== 'BRLV' && symbol !== 'wBRLY') refuse('asset-not-supported', `${asset} is not redeemed`, 'asset');
  if (walletIds.length === 0) refuse('wallet-not-found', 'a redemption names a wallet to take from', 'wallet');
  return { kind, id, orderId, accountId, asset, amount: movableAmount(asset, amount).toString(), walletIds, leastBrl };
}
