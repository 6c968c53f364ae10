import { Injectable } from '@nestjs/common';
import type { DoubleReturn } from '@ponte/contracts';
import { defineReadModel } from '@ponte/nest';
import { deposit } from '../deposit/deposit.decider';
import type { Deposit } from '../deposit/deposit.state';
import { refundOf } from '../deposit/deposit.state';

/** Payments whose money left our bank twice. */
@Injectable()
export class DoubleReturns extends defineReadModel({
  table: 'ledger_double_returns',
  reader: 'ledger-lists',
  of: deposit,
  columns: { record: 'json' },
  indices: [[]],
  rows: ({ id, state, revision }) => {
    const record = doubleReturnOf(state);
    return record ? { id, revision, created_at: record.postedAt, record } : undefined;
  },
}) {
  count(): Promise<number> {
    return this.table.count();
  }
}

function doubleReturnOf(state: Deposit): DoubleReturn | undefined {
  const refund = refundOf(state);
  const reason = refund?.reason ?? (state.status === 'voided' ? state.reason : undefined);
  if (state.status === 'none' || !state.doubleReturn || reason === undefined) return undefined;
  const { depositId, accountId, type, asset, amount, endToEndId } = state.facts;
  const { returnId, postedAt } = state.doubleReturn;
  const bankReference = returnId === null ? (state.suspense?.settlement?.bankReference ?? null) : null;
  const bankReturnId = (returnId !== null && (state.doubleReturn.bankReturnId ?? refund?.bankReturnId)) || null;
  return {
    ...{ depositId, accountId, type, asset, amount, endToEndId },
    ...{ reason, returnId, bankReturnId, bankReference, postedAt },
  };
}
