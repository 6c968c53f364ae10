import {
  AcceptanceAbandoned,
  DepositVoided,
  OrderCompleted,
  OrderPlaced,
  OrderProcessingStarted,
  OrderRolledBack,
} from '@ponte/contracts';
import type * as contracts from '@ponte/contracts';
import { pingEnvelope } from './ping.domain';
import type { Publication } from './publication.domain';
import { publishedEventId } from './publication.domain';
import { wireBody } from '@ponte/contracts';
import { AT, depositCreated, orderPlaced, voided, published, summaries, payload } from './published.testing';

const order = { orderId: 'o', accountId: 'child' };
const placed = orderPlaced('x-1');
const processing = new OrderProcessingStarted({ ...order, startedAt: AT, holdId: 'h', depositId: null });
const completed = new OrderCompleted({
  ...order,
  createdBy: 'partner',
  createdByApiKey: 'ak_test_1',
  sourceAsset: 'fiat/brl',
  targetAsset: 'eth-base/brlv',
  sourceAmount: '100.00',
  targetAmount: '100.000000000000000000',
  effectiveRate: '1.0000000000',
  completedAt: AT,
  txHash: '0x1',
  txTimestamp: AT,
  sourceWalletAddress: null,
  targetWalletAddress: '0xabc',
  delivery: null,
});

describe('the webhooks of an account', () => {
  it('report an order to its account and the parent, numbered from 1, with the previous state', () => {
    expect(summaries(published('order-o', placed, processing, completed))).toEqual([
      ['child', 'order-created', 1, null],
      ['partner', 'order-created', 1, null],
      ['child', 'order-processing', 2, 'created'],
      ['partner', 'order-processing', 2, 'created'],
      ['child', 'order-completed', 3, 'processing'],
      ['partner', 'order-completed', 3, 'processing'],
    ]);
  });

  it('count only published event types', () => {
    const abandoned = new AcceptanceAbandoned({ ...order, fundingId: 'h' });
    const back = new OrderRolledBack({
      ...order,
      rolledBackAt: AT,
      previousState: 'created',
      failure: { code: 'brcode-expired', message: 'not paid', retryable: true },
    });
    expect(
      summaries(published('order-o', abandoned, placed, back)).filter(([audience]) => audience === 'child'),
    ).toEqual([
      ['child', 'order-created', 1, null],
      ['child', 'order-rolled-back', 2, 'created'],
    ]);
    expect(payload(published('order-o', placed, back), 'order-rolled-back')).toEqual({
      'order-id': 'o',
      'account-id': 'child',
      'created-by': 'partner',
      'created-by-api-key': 'ak_test_1',
      'external-id': 'x-1',
      'rolled-back-at': AT,
      failure: { code: 'brcode-expired', message: 'not paid', retryable: true },
    });
  });

  it('have one audience if the account has no parent', () => {
    const alone = new OrderPlaced({ ...placed.data, parentId: null });
    expect(published('order-o', alone, processing).map(({ audience }) => audience)).toEqual(['child', 'child']);
  });

  it('have exactly the fields of the contract in order-completed', () => {
    const fields = payload(published('order-o', placed, processing, completed), 'order-completed');
    expect(Object.keys(fields)).toEqual([
      'order-id',
      'account-id',
      'created-by',
      'created-by-api-key',
      'source-asset',
      'target-asset',
      'source-amount',
      'target-amount',
      'effective-rate',
      'completed-at',
      'tx-hash',
      'tx-timestamp',
      'target-wallet-address',
      'external-id',
    ]);
    expect(fields).toMatchObject({
      'order-id': 'o',
      'source-amount': '100.00',
      'tx-hash': '0x1',
      'created-by': 'partner',
      'created-by-api-key': 'ak_test_1',
    });
    const fromWallet = new OrderCompleted({ ...completed.data, sourceWalletAddress: '0xdef' });
    expect(payload(published('order-o', placed, processing, fromWallet), 'order-completed')).toMatchObject({
      'source-wallet-address': '0xdef',
    });
  });

  it('say in order-completed whether the BRL reached the Pix key, without null fields', () => {
    const reported = (delivery: contracts.Delivery) => {
      const ended = new OrderCompleted({ ...completed.data, delivery });
      return payload(published('order-o', placed, processing, ended), 'order-completed')['delivery'];
    };
    expect(reported({ state: 'delivered', reason: null })).toEqual({ state: 'delivered' });
    const kept = { state: 'kept-in-balance', reason: 'bank-refused' } as const;
    expect(reported(kept)).toEqual(kept);
  });

  it('do not include a deposit of an unknown account', () => {
    expect(published('deposit-d', depositCreated(null), voided(null))).toEqual([]);
  });

  it('have ids derived from the source event and the audience', () => {
    const [child, parent] = published('order-o', placed);
    const kind = { sourceEventId: 'order-o/0', eventType: 'order-created' } as const;
    expect(child?.envelope.eventId).toBe(publishedEventId(kind, 'child'));
    expect(parent?.envelope.eventId).toBe(publishedEventId(kind, 'partner'));
    expect(child?.envelope.eventId).not.toBe(parent?.envelope.eventId);
    expect({ ...child?.envelope, eventId: '' }).toEqual({ ...parent?.envelope, eventId: '' });
  });

  it('are sent as the envelope of the contract', () => {
    const envelope = pingEnvelope({ endpointId: 'e', accountId: 'a', eventId: 'i', sequence: 4, pingedAt: AT });
    expect(JSON.parse(wireBody(envelope, envelope.payload))).toEqual({
      'event-id': 'i',
      'event-type': 'webhook-ping',
      payload: { 'webhook-endpoint-id': 'e', 'account-id': 'a', 'pinged-at': AT },
      'account-id': 'a',
      'resource-type': 'webhook-ping',
      'resource-id': 'e',
      sequence: 4,
      'occurred-at': AT,
      'api-version': 'v1',
    });
  });
});

describe('an inapplicable field', () => {
  it('is absent from every payload and envelope, never null', () => {
    const abandoned = new OrderPlaced({ ...placed.data } as OrderPlaced['data']);
    const unknownSender = new DepositVoided({ ...voided('child').data, orderId: null });
    const reported = [
      ...published('order-o', placed, processing, completed),
      ...published('order-o', abandoned),
      ...published('deposit-d', depositCreated('child'), unknownSender),
      ...published('deposit-d', unknownSender),
    ];
    expect(reported.length).toBeGreaterThan(8);
    for (const { envelope } of reported) expect(wireBody(envelope, envelope.payload)).not.toContain('null');
    const created = reported[0] as Publication;
    expect(Object.keys(JSON.parse(wireBody(created.envelope, created.envelope.payload)) as object)).not.toContain(
      'previous-state',
    );
  });
});
