import { Injectable } from '@nestjs/common';
import type { DoubleReturn } from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import type { Kysely } from 'kysely';
import { deposit } from '../deposit/deposit.decider';
import type { Deposit } from '../deposit/deposit.state';
import { refundOf } from '../deposit/deposit.state';

const DoubleReturnList = defineReadModel({
  table: 'ledger_double_returns',
  reader: 'ledger-lists',
  of: deposit,
  columns: { record: 'json' },
  indices: [[]],
  rows: ({ id, state, revision }) => {
    const record = doubleReturnOf(state);
    return record ? { id, revision, created_at: record.postedAt, record } : undefined;
  },
});

/** Payments whose money left our bank twice. */
@Injectable()
export class DoubleReturns extends DoubleReturnList {
  private readonly db = this.readModels as unknown as Kysely<{
    ledger_double_returns: RowOf<typeof DoubleReturnList>;
  }>;

  async count(): Promise<number> {
    const counted = this.db.selectFrom('ledger_double_returns').select(({ fn }) => fn.countAll().as('count'));
    return Number((await counted.executeTakeFirst())?.count ?? 0);
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
