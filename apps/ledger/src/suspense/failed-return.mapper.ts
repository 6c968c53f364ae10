import type { FailedReturn, SuspenseSending } from '@ponte/contracts';
import type { DepositInSuspense } from './suspense.domain';
import type { Suspense } from './suspense.state';
import { statusOf } from './suspense.state';

/** The deposit as staff see it. */
export function failedReturnOf({ facts, suspense }: DepositInSuspense): FailedReturn {
  const { depositId, accountId, withdrawalId = null, type, asset, amount, endToEndId } = facts;
  const { cause, reason, attempts, postedAt: failedAt, settlement, settledAt, sendingFailure = null } = suspense;
  return {
    ...{ depositId, cause, status: statusOf(suspense), accountId, withdrawalId, type, asset, amount },
    ...{ endToEndId, reason, attempts, failedAt, settlement, settledAt, sendingFailure },
    sending: sendingOf(suspense),
  };
}

function sendingOf({ sending }: Suspense): SuspenseSending | null {
  if (!sending) return null;
  const { movementId: _, startedAt: __, ...shown } = sending;
  return shown;
}
