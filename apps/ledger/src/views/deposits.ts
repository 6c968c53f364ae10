import type { DepositRecord } from '@ponte/contracts';
import type { Deposit } from '../domain/deposit/deposit';
import { isUnfinished } from '../domain/deposit/deposit';
import type { DepositRow } from '../ports/deposit-read-model';

/** The row of a deposit at a revision of its stream, or undefined. */
export function depositRow(depositId: string, state: Deposit, revision: number): DepositRow | undefined {
  if (state.status === 'none') return undefined;
  return {
    depositId,
    revision,
    createdAt: state.facts.createdAt,
    unfinished: isUnfinished(state),
    record: recordOf(state),
  };
}

function recordOf(state: Exclude<Deposit, { status: 'none' }>): DepositRecord | null {
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
    coordinates,
    recorded,
    createdAt,
    statusUpdatedAt: state.updatedAt,
    processedAt: state.status === 'credited' ? state.processedAt : null,
  };
}
