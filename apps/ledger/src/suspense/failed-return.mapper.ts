import type { FailedReturn } from '@ponte/contracts';
import type { DepositInSuspense } from './suspense.domain';
import { statusOf } from './suspense.state';

/** The deposit as staff see it. */
export function failedReturnOf({ facts, suspense }: DepositInSuspense): FailedReturn {
  const { depositId, accountId, withdrawalId = null, type, asset, amount, endToEndId } = facts;
  const { cause, reason, attempts, postedAt: failedAt, settlement, settledAt } = suspense;
  return {
    ...{ depositId, cause, status: statusOf(suspense), accountId, withdrawalId, type, asset, amount },
    ...{ endToEndId, reason, attempts, failedAt, settlement, settledAt },
  };
}
