import type { OrderRecord } from '@ponte/contracts';
import type { PlacedOrder } from './order.state';

const txHashOf = (state: PlacedOrder): string | null => {
  if (state.status === 'completed') return state.txHash;
  return state.status === 'processing' ? (state.settled?.txHash ?? null) : null;
};

function deliveryOf(state: PlacedOrder): OrderRecord['delivery'] {
  if (!state.terms.pixDelivery || state.status === 'rolled-back') return null;
  return state.status === 'completed' ? state.delivery : { state: 'pending', reason: null };
}

/** An order as its owner sees it. */
export function recordOf(state: PlacedOrder): OrderRecord {
  const { terms } = state;
  const { funding } = terms;
  return {
    id: terms.orderId,
    accountId: terms.accountId,
    quoteId: terms.quoteId,
    state: state.status,
    stateUpdatedAt: state.since,
    createdAt: terms.createdAt,
    externalId: terms.externalId,
    sourceAsset: terms.sourceAsset,
    targetAsset: terms.targetAsset,
    sourceAmount: terms.sourceAmount,
    targetAmount: terms.targetAmount,
    baseRate: terms.baseRate,
    effectiveRate: terms.effectiveRate,
    feeAmount: terms.feeAmount,
    feeAsset: terms.feeAsset,
    rateLock: terms.rateLock,
    sourceWalletAddress: terms.sourceWalletAddress,
    targetWalletAddress: terms.target?.address ?? null,
    txHash: txHashOf(state),
    delivery: deliveryOf(state),
    failure: state.status === 'rolled-back' ? state.failure : null,
    paymentMethod: funding.kind,
    brcode: funding.kind === 'brcode' ? funding.brcode : null,
    expiration: funding.kind === 'brcode' ? funding.expiration : null,
  };
}
