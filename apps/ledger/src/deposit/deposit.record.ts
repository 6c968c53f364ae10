import type { DepositRecord } from '@ponte/contracts';
import type { Deposit } from './deposit.state';
import { refundOf } from './deposit.state';

/** The deposit as published; null for a payment whose target is unknown. */
export function depositRecord(state: Exclude<Deposit, { status: 'none' }>): DepositRecord | null {
  const {
    depositId,
    accountId,
    type,
    asset,
    amount,
    endToEndId,
    orderId,
    coordinates,
    createdAt,
    withdrawalId = null,
    returnedOrderId = null,
    recorded = null,
  } = state.facts;
  if (accountId === null) return null;
  return {
    id: depositId,
    accountId,
    type,
    asset,
    amount,
    status: state.status,
    voidReason: state.status === 'voided' ? state.reason : null,
    endToEndId,
    orderId,
    withdrawalId,
    returnedOrderId,
    coordinates,
    recorded,
    createdAt,
    statusUpdatedAt: state.updatedAt,
    processedAt: state.status === 'credited' ? state.processedAt : null,
    ...returned(state),
    ...(state.status === 'confirmed' && state.setAside && { setAside: state.setAside }),
  };
}

/** The return that the bank executed. */
function returned(state: Deposit): Pick<DepositRecord, 'returned'> {
  const refund = refundOf(state);
  if (refund?.returnedAt === undefined) return {};
  const { returnId, bankReturnId = null, returnedAt } = refund;
  return { returned: { returnId, bankReturnId, returnedAt } };
}
