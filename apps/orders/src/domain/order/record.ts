import type { OrderRecord } from '@ponte/contracts';
import type { PlacedOrder } from './order';

/** An order as its owner is told of it. */
export function recordOf(state: PlacedOrder): OrderRecord {
  const { terms } = state;
  const { funding } = terms;
  return {
    id: terms.orderId, accountId: terms.accountId, quoteId: terms.quoteId, state: state.status, stateUpdatedAt: state.since, createdAt: terms.createdAt,
    externalId: terms.externalId, sourceAsset: terms.sourceAsset, targetAsset: terms.targetAsset, sourceAmount: terms.sourceAmount,
    targetAmount: terms.targetAmount, baseRate: terms.baseRate, effectiveRate: terms.effectiveRate, feeAmount: terms.feeAmount, feeAsset: terms.feeAsset,
    rateLock: terms.rateLock, sourceWalletAddress: terms.sourceWalletAddress, targetWalletAddress: terms.target.address,
    txHash: state.status === 'completed' ? state.txHash : null,
    failure: state.status === 'rolled-back' ? state.failure : null,
    paymentMethod: funding.kind,
    brcode: funding.kind === 'brcode' ? funding.brcode : null,
    expiration: funding.kind === 'brcode' ? funding.expiration : null,
  };
}
