import type { WithdrawalRecord } from '@ponte/contracts';
import type { CreatedWithdrawal } from './withdrawal.state';

/** The withdrawal as shown to the account. */
export function recordOf(state: CreatedWithdrawal): WithdrawalRecord {
  const { terms } = state;
  return {
    id: terms.withdrawalId,
    accountId: terms.accountId,
    asset: terms.asset,
    amount: terms.amount,
    method: terms.target.method,
    state: state.status,
    stateUpdatedAt: state.since,
    createdAt: terms.createdAt,
    createdBy: terms.createdBy,
    createdByApiKey: terms.createdByApiKey,
    externalId: terms.externalId,
    orderId: terms.orderId ?? null,
    scheduledFor: state.status === 'created' ? state.scheduledFor : null,
    target: terms.target,
    endToEndId: state.status === 'completed' ? state.endToEndId : null,
    txHash: state.status === 'created' ? null : state.txHash,
    ...(state.status === 'processing' && state.signedAt !== undefined && { signedAt: state.signedAt }),
    failure: state.status === 'rolled-back' ? state.failure : null,
    review: state.review,
  };
}
