import { Injectable } from '@nestjs/common';
import type {
  DepositFilters,
  DepositRecord,
  FailedReturnFilters,
  GetUncreditedTokens,
  Page,
  PageRequest,
  SuspenseCause,
  Timestamp,
} from '@ponte/contracts';
import { isTokenCoordinates } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { defineReadModel } from '@ponte/nest';
import { deposit } from './deposit.decider';
import { mergedPage } from './deposit-pages';
import { statusOf } from '../suspense/suspense.state';
import { isUnfinished } from './deposit.state';
import { depositRecord } from './deposit.record';
import { sumsByAsset } from '../trial-balance/sums-by-asset.domain';
import { comparableReference, comparableReferenceOf } from '../suspense/settlement-reference.decider';

const OPEN = ['created', 'confirmed'] as const;
const TYPES = ['pix', 'ted', 'manual-fx', 'token'] as const;

/** Deposits by account and by the work that is left. */
@Injectable()
export class DepositReadModel extends defineReadModel({
  table: 'ledger_deposits',
  reader: 'ledger-lists',
  of: deposit,
  columns: {
    account_id: 'text?',
    asset: 'text?',
    type: 'text?',
    status: 'text?',
    end_to_end_id: 'text?',
    // How the reference of a payment in reais is compared. Null for other deposits.
    bank_reference: 'text?',
    tx_hash: 'text?',
    // 1 while work is left: to validate, to post or to send back. Null afterwards, so that the index stays small.
    unfinished: 'integer?',
    // The state of the settlement by staff, and why it is needed. Null if the money was never in suspense.
    suspense: 'text?',
    suspense_cause: 'text?',
    // 1 if the money is or was in suspense.
    suspended: 'integer?',
    // Null for a payment whose target is unknown: it appears in no list.
    record: 'json',
  },
  indices: [['account_id'], ['bank_reference'], ['unfinished'], ['suspended'], ['suspense'], ['status'], ['asset']],
  rows: ({ id, state, revision }) => {
    if (state.status === 'none') return undefined;
    const record = depositRecord(state);
    return {
      id,
      revision,
      created_at: state.facts.createdAt,
      account_id: record?.accountId ?? null,
      asset: record?.asset ?? null,
      type: record?.type ?? null,
      status: record?.status ?? null,
      end_to_end_id: record?.endToEndId ?? null,
      bank_reference: comparableReferenceOf(state.facts),
      tx_hash: record && isTokenCoordinates(record.coordinates) ? record.coordinates.txHash : null,
      unfinished: isUnfinished(state) ? 1 : null,
      suspense: state.suspense ? statusOf(state.suspense) : null,
      suspense_cause: state.suspense?.cause ?? null,
      suspended: state.suspense ? 1 : null,
      record,
    };
  },
}) {
  /** Deposits of one account, or of all if it is null. Merges one page per asset; nearly always there is one asset. */
  async page(
    accountId: string | null,
    { assets, status, type, endToEndId, txHash }: DepositFilters,
    page: PageRequest,
  ): Promise<Page<DepositRecord>> {
    const pages = await Promise.all(
      assets.map((asset) =>
        this.table.page({
          where: accountId === null ? { asset } : { account_id: accountId, asset },
          filters: { status, type, end_to_end_id: endToEndId, tx_hash: txHash },
          page,
        }),
      ),
    );
    const { items, next } = mergedPage(pages, page.limit);
    return { items: items.flatMap(({ record }) => record ?? []), next };
  }

  /** Deposits of every account, for staff. */
  async pageOfType(
    type: DepositRecord['type'],
    status: DepositRecord['status'] | null,
    page: PageRequest,
  ): Promise<Page<DepositRecord>> {
    const { items, next } = await this.table.page({ where: { type }, filters: { status }, page });
    return { items: items.flatMap(({ record }) => record ?? []), next };
  }

  /** Sums by asset of tokens from outside that are not credited: waiting ones, the final of them, and refused ones. */
  async uncreditedTokens(): Promise<ReplyOf<typeof GetUncreditedTokens>> {
    const rows = await this.table.select((all) =>
      all.where('type', '=', 'token').where('status', 'in', [...OPEN, 'voided']),
    );
    const finalIds = new Set(rows.filter(({ unfinished }) => unfinished !== null).map(({ id }) => id));
    const records = rows
      .flatMap(({ record }) => record ?? [])
      // Tokens that another Ponte account sent are in the books as clearing.
      .filter(({ coordinates: of }) => isTokenCoordinates(of) && of.movementId === null);
    return {
      amounts: sumsByAsset(records.filter(({ status }) => status !== 'voided')),
      // Only a final deposit has work left once it is confirmed.
      final: sumsByAsset(records.filter(({ id, status }) => status === 'confirmed' && finalIds.has(id))),
      // Of the voided deposits, only those that compliance refused are in our wallets.
      refused: sumsByAsset(
        records.filter(({ status, voidReason }) => status === 'voided' && voidReason === 'compliance'),
      ),
    };
  }

  /** Counts created and confirmed deposits, by type and status. */
  async open(): Promise<readonly { readonly type: string; readonly status: string; readonly count: number }[]> {
    const rows = await this.table.rows
      .select(({ fn }) => ['type', 'status', fn.countAll().as('count')])
      .where('status', 'in', OPEN)
      .groupBy(['type', 'status'])
      .execute();
    return TYPES.flatMap((type) =>
      OPEN.map((status) => ({
        type,
        status,
        count: Number(rows.find((row) => row.type === type && row.status === status)?.count ?? 0),
      })),
    );
  }

  /** When the oldest deposit in these states was created, by type; null without one. */
  async oldestOpen(
    statuses: readonly DepositRecord['status'][],
  ): Promise<readonly { readonly type: string; readonly since: Timestamp | null }[]> {
    const rows = await this.table.rows
      .select(({ fn }) => ['type', fn.min('created_at').as('since')])
      .where('status', 'in', statuses)
      .groupBy('type')
      .execute();
    return TYPES.map((type) => ({ type, since: rows.find((row) => row.type === type)?.since ?? null }));
  }

  /** Ids of deposits with work left, newest first. */
  async unfinished(page: PageRequest): Promise<Page<string>> {
    const { items, next } = await this.table.page({ where: { unfinished: 1 }, page });
    return { items: items.map(({ id }) => id), next };
  }

  /** The deposits of an account whose return the bank has not finished, at most `limit`. */
  async dueReturns(accountId: string, limit: number): Promise<readonly { readonly id: string }[]> {
    return this.table.rows
      .select('id')
      .where('account_id', '=', accountId)
      .where('unfinished', '=', 1)
      .where('status', 'in', ['credited', 'voided'])
      .limit(limit)
      .execute();
  }

  /** Ids of deposits whose money is or was in suspense, newest first. */
  async inSuspense({ cause, status }: FailedReturnFilters, page: PageRequest): Promise<Page<string>> {
    const filters = { suspense: status, suspense_cause: cause };
    const { items, next } = await this.table.page({ where: { suspended: 1 }, filters, page });
    return { items: items.map(({ id }) => id), next };
  }

  /** Ids of deposits whose tokens are being sent out of suspense, newest first. */
  async beingSent(page: PageRequest): Promise<Page<string>> {
    const { items, next } = await this.table.page({ where: { suspense: 'sending' }, page });
    return { items: items.map(({ id }) => id), next };
  }

  /**
   * Whether Ponte received a payment in reais with this reference, in whatever case and with whatever leading zeros it
   * is given. A payment of the last moments may be missing.
   */
  async hasReceived(bankReference: string): Promise<boolean> {
    return (await this.table.find({ bank_reference: comparableReference(bankReference) })) !== undefined;
  }

  /** Counts deposits whose money is in suspense for this cause. */
  countUnsettled(cause: SuspenseCause): Promise<number> {
    return this.table.count((rows) =>
      rows.where('suspense', 'in', ['open', 'proposed', 'sending']).where('suspense_cause', '=', cause),
    );
  }
}
