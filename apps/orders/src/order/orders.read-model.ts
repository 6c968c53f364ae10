import type { OrderRecord, OrderFilters, Page, PageRequest, Timestamp } from '@ponte/contracts';
import { Injectable } from '@nestjs/common';
import { defineReadModel } from '@ponte/nest';
import type { Chain } from '@ponte/kernel';
import { assetOf, pick } from '@ponte/kernel';
import { sql } from 'kysely';
import type { PlacedOrder } from './order.state';
import { depositIdOf, placed } from './order.state';
import { fundingIdOf, payoutIdOf } from './order-ids.domain';
import { order } from './order.decider';

export const ALL_PROCESSING: OrderFilters = {
  state: 'processing',
  ...{ quoteId: null, sourceAsset: null, targetAsset: null, externalId: null },
};

const txHashOf = (state: PlacedOrder): string | null => {
  if (state.status === 'completed') return state.txHash;
  return state.status === 'processing' ? (state.settled?.txHash ?? null) : null;
};

function deliveryOf(state: PlacedOrder): OrderRecord['delivery'] {
  if (!state.terms.pixDelivery || state.status === 'rolled-back') return null;
  return state.status === 'completed' ? state.delivery : { state: 'pending', reason: null };
}

/** Known once the exchange is settled, which is when the withdrawal is requested. */
const withdrawalIdOf = (state: PlacedOrder): string | null =>
  state.terms.pixDelivery && txHashOf(state) !== null ? payoutIdOf(state.terms.orderId) : null;

/** The order as it is returned to clients. */
export function recordOf(state: PlacedOrder): OrderRecord {
  const { terms } = state;
  const { funding } = terms;
  return {
    id: terms.orderId,
    accountId: terms.accountId,
    quoteId: terms.quoteId,
    state: state.status,
    stateUpdatedAt: state.since,
    ...pick(terms, 'createdAt', 'externalId', 'sourceAsset', 'targetAsset', 'sourceAmount', 'targetAmount'),
    ...pick(terms, 'baseRate', 'effectiveRate', 'feeAmount', 'feeAsset', 'rateLock', 'sourceWalletAddress'),
    targetWalletAddress: terms.target?.address ?? null,
    txHash: txHashOf(state),
    ...(state.status === 'processing' && state.settled && { settledAt: state.settled.txTimestamp }),
    delivery: deliveryOf(state),
    withdrawalId: withdrawalIdOf(state),
    failure: state.status === 'rolled-back' ? state.failure : null,
    paymentMethod: funding.kind,
    brcode: funding.kind === 'brcode' ? funding.brcode : null,
    expiration: funding.kind === 'brcode' ? funding.expiration : null,
    depositId: depositIdOf(state),
  };
}

/** The charge of a brcode order that waits for its Pix payment. */
export interface WaitingCharge {
  readonly orderId: string;
  readonly accountId: string;
  readonly txid: string;
}

/** A row's place in the order of creation: the next page starts after it. */
interface Place {
  readonly orderId: string;
  readonly createdAt: Timestamp;
}

export interface OldOrder extends Place {
  /** The chain of its token. */
  readonly chain: Chain | null;
}

/** The list of orders. It can be rebuilt at any time. Timers find work with it, but no decision rests on it. */
@Injectable()
export class OrderReadModel extends defineReadModel({
  table: 'orders',
  reader: 'orders-list',
  of: order,
  columns: {
    account_id: 'text',
    state: 'text',
    quote_id: 'text',
    source_asset: 'text',
    target_asset: 'text',
    external_id: 'text?',
    // Null for an order that is not paid by brcode.
    txid: 'text?',
    // The expiration of a brcode that waits for payment; null for all other orders, to keep the index small.
    waits_until: 'text?',
    record: 'json',
  },
  indices: [['account_id'], ['waits_until']],
  rows: ({ state, revision }) => {
    const existing = placed(state);
    if (!existing) return undefined;
    const { funding } = existing.terms;
    const record = recordOf(existing);
    return {
      id: record.id,
      revision,
      created_at: record.createdAt,
      account_id: record.accountId,
      state: record.state,
      quote_id: record.quoteId,
      source_asset: record.sourceAsset,
      target_asset: record.targetAsset,
      external_id: record.externalId,
      txid: funding.kind === 'brcode' ? fundingIdOf(funding) : null,
      waits_until: record.state === 'created' ? record.expiration : null,
      record,
    };
  },
}) {
  page(accountId: string, filters: OrderFilters, page: PageRequest): Promise<Page<OrderRecord>> {
    const { state, quoteId, sourceAsset, targetAsset, externalId } = filters;
    return this.records({
      where: { account_id: accountId },
      filters: {
        state,
        quote_id: quoteId,
        source_asset: sourceAsset,
        target_asset: targetAsset,
        external_id: externalId,
      },
      page,
    });
  }

  /**
   * The created orders whose brcode expired before the given time, the longest expired first. A code can still be paid
   * in the millisecond of its expiration, so the comparison is exclusive.
   */
  async expired(at: Timestamp, limit: number): Promise<readonly WaitingCharge[]> {
    const rows = await this.table.rows
      .select(['id', 'account_id', 'txid'])
      .where('waits_until', '<', at)
      .orderBy('waits_until')
      .limit(limit)
      .execute();
    return rows.flatMap(({ id, account_id, txid }) =>
      txid === null ? [] : [{ orderId: id, accountId: account_id, txid }],
    );
  }

  /**
   * The processing orders created at or before the given time, oldest first, starting after the row `after`. The state
   * is a literal in the statement so that the small partial index of open orders can be used.
   */
  async processing(createdTo: Timestamp, after: Place | null, limit: number): Promise<readonly OldOrder[]> {
    const rows = this.table.rows
      .select(['id', 'created_at', 'source_asset', 'target_asset'])
      .where(sql<boolean>`state = 'processing'`)
      .where('created_at', '<=', createdTo);
    const rest =
      after === null ? rows : rows.where(sql<boolean>`(created_at, id) > (${after.createdAt}, ${after.orderId})`);
    const page = await rest.orderBy('created_at').orderBy('id').limit(limit).execute();
    return page.map(({ id, created_at, source_asset, target_asset }) => {
      const chain = assetOf(target_asset).chain ?? assetOf(source_asset).chain ?? null;
      return { orderId: id, createdAt: created_at, chain };
    });
  }
}
