import * as contracts from '@ponte/contracts';
import type { DomainEvent } from '@ponte/event-sourcing';
import { AT, coordinates, deposit, depositCreated, orderPlaced, published, voided } from './published.testing';

/** The payloads that the account gets, by event type. */
const payloads = (stream: string, ...facts: DomainEvent[]) =>
  published(stream, ...facts)
    .filter(({ audience }) => audience === 'child')
    .map(({ envelope: { eventType, payload } }) => [eventType, payload] as const);

const sealed = 'sealed:v1:p:1' as const;
const by = { accountId: 'child', createdBy: 'partner', createdByApiKey: 'ak' } as const;
const owned = { parentId: 'partner', bodyHash: null, createdAt: AT } as const;
const failure = { code: 'bank-refused', message: 'why', retryable: true };
const addresses = { sourceAddress: '0x1', targetAddress: '0x2' } as const;

const placed = orderPlaced('mine-1');
const started = new contracts.OrderProcessingStarted({
  orderId: 'o',
  accountId: 'child',
  startedAt: AT,
  holdId: 'h',
  depositId: null,
});
const rolledBack = new contracts.OrderRolledBack({
  orderId: 'o',
  accountId: 'child',
  rolledBackAt: AT,
  previousState: 'processing',
  failure,
});

const completed = new contracts.OrderCompleted({
  orderId: 'o',
  ...by,
  ...{ sourceAsset: 'fiat/brl', targetAsset: 'eth-base/brlv', sourceAmount: '1.00', targetAmount: '1.00' },
  ...{ effectiveRate: '1', completedAt: AT, txHash: '0x1', txTimestamp: AT },
  ...{ sourceWalletAddress: null, targetWalletAddress: '0x2', delivery: null },
});

const payee = { legalName: sealed, taxId: sealed, bankCode: '1', branchCode: sealed, accountNumber: sealed };
const target = { method: 'pix', pixKey: sealed, payee } as unknown as contracts.WithdrawalTarget;
const what = { withdrawalId: 'w', asset: 'fiat/brl', amount: '10.00' } as const;
const withdrawal = [
  new contracts.WithdrawalCreated({
    ...by,
    ...owned,
    ...what,
    holdId: 'h',
    keyHash: null,
    externalId: 'mine-1',
    target,
    scheduledFor: null,
  }),
  new contracts.WithdrawalProcessingStarted({
    ...what,
    accountId: 'child',
    holdId: 'h',
    method: 'pix',
    destinationWalletAddress: null,
    startedAt: AT,
  }),
  new contracts.WithdrawalCompleted({ ...by, ...what, target, endToEndId: 'E1', txHash: null, processedAt: AT }),
];

const terms = { ...by, ...addresses, transferId: 't', asset: 'eth-base/brlv', amount: '1.000000000000000000' } as const;
const unsent = { ...owned, sourceWalletId: 'w', receiver: null, externalId: 'mine-1' };
const transfer = [
  new contracts.TransferCreated({ ...terms, ...unsent, holdId: 'h' }),
  new contracts.TransferPending({ ...terms, txHash: '0xa', pendingAt: AT }),
  new contracts.TransferCompleted({ ...terms, txHash: '0xa', completedAt: AT }),
];
const ofCertificate = { ...by, ...addresses, transferId: 't', certificateId: 'c' };
const nftTransfer = [
  new contracts.NftTransferCreated({ ...ofCertificate, ...unsent }),
  new contracts.NftTransferFailed({ ...ofCertificate, txHash: null, failure, failedAt: AT }),
];

describe('the references in webhooks', () => {
  it.each([
    ['order-o', ['order-created', 'order-processing', 'order-rolled-back'], [placed, started, rolledBack]],
    ['withdrawal-w', ['withdraw-processing', 'withdraw-completed'], withdrawal],
    ['transfer-t', ['token-transfer-pending', 'token-transfer-completed'], transfer],
    ['nftTransfer-t', ['nft-transfer-failed'], nftTransfer],
  ])('name the external id, and who made the request, in every event of %s', (stream, kinds, facts) => {
    const found = payloads(stream, ...facts);
    expect(found.map(([kind]) => kind)).toEqual(kinds);
    const key = stream === 'order-o' ? 'ak_test_1' : 'ak';
    const references = { 'external-id': 'mine-1', 'created-by': 'partner', 'created-by-api-key': key };
    for (const [, payload] of found) expect(payload).toMatchObject(references);
  });

  it('name the external id of an account request and of its account', () => {
    const about = { requestId: 'r', accountId: 'child', parentId: 'partner' };
    const requested = new contracts.AccountRequested({
      ...about,
      externalId: 'customer-1',
    } as unknown as contracts.AccountRequested['data']);
    const cancelled = new contracts.AccountRequestCancelled({ ...about, cancelledAt: AT } as never);
    const ended = payloads('accountRequest-r', requested, cancelled);
    expect(ended.map(([kind]) => kind)).toEqual(['account-request-updated', 'account-rejected']);
    for (const [, payload] of ended) expect(payload).toMatchObject({ 'external-id': 'customer-1' });
    const opened = new contracts.AccountOpened({
      accountId: 'child',
      parentId: 'partner',
      externalId: 'customer-1',
    } as unknown as contracts.AccountOpened['data']);
    const frozen = new contracts.AccountFrozen({
      accountId: 'child',
      reason: 'fraud-suspected',
      frozenAt: AT,
    } as never);
    expect(payloads('account-child', opened, frozen)).toMatchObject([
      ['account-updated', { 'external-id': 'customer-1' }],
    ]);
  });

  it('are absent from a resource that has none', () => {
    const [created] = payloads('order-o', new contracts.OrderPlaced({ ...placed.data, externalId: null }));
    expect(created?.[1]).not.toHaveProperty('external-id');
  });

  it('name the deposit and the withdrawal of an order from when they are known', () => {
    const brcode = new contracts.OrderProcessingStarted({ ...started.data, depositId: 'd' });
    const [done, back] = [
      { ...completed.data, depositId: 'd', withdrawalId: 'w' },
      { ...rolledBack.data, depositId: 'd' },
    ];
    const [, processing, ended] = payloads('order-o', placed, brcode, new contracts.OrderCompleted(done));
    expect(processing).toMatchObject(['order-processing', { 'deposit-id': 'd' }]);
    expect(ended).toMatchObject(['order-completed', { 'deposit-id': 'd', 'withdrawal-id': 'w' }]);
    const failed = payloads('order-o', placed, new contracts.OrderRolledBack(back)).at(-1);
    expect(failed).toMatchObject(['order-rolled-back', { 'deposit-id': 'd' }]);
    for (const last of [completed, rolledBack])
      for (const [, payload] of payloads('order-o', placed, started, last)) {
        expect(payload).not.toHaveProperty('deposit-id');
        expect(payload).not.toHaveProperty('withdrawal-id');
      }
  });

  it('name the payment at the bank in withdraw-completed', () => {
    expect(payloads('withdrawal-w', ...withdrawal)[1]).toMatchObject(['withdraw-completed', { 'end-to-end-id': 'E1' }]);
  });

  it('say which payment a deposit is and whether it pays an order or returns a withdrawal', () => {
    const credited = new contracts.DepositCredited({ ...deposit, accountId: 'child', processedAt: AT, coordinates });
    const created = depositCreated('child');
    const processed = (more: object) =>
      payloads('deposit-d', new contracts.DepositCreated({ ...created.data, ...more }), credited)[0]?.[1];
    expect(processed({})).toMatchObject({ 'end-to-end-id': 'E1' });
    expect(processed({})).not.toHaveProperty('order-id');
    expect(processed({})).not.toHaveProperty('withdrawal-id');
    expect(processed({ orderId: 'o' })).toMatchObject({ 'end-to-end-id': 'E1', 'order-id': 'o' });
    expect(processed({ withdrawalId: 'w' })).toMatchObject({ 'end-to-end-id': 'E1', 'withdrawal-id': 'w' });
    expect(processed({ withdrawalId: 'w' })).not.toHaveProperty('order-id');
    expect(processed({ withdrawalId: 'w' })).not.toHaveProperty('returned-order-id');
    const payout = processed({ withdrawalId: 'w', returnedOrderId: 'o' });
    expect(payout).toMatchObject({ 'withdrawal-id': 'w', 'returned-order-id': 'o' });
    // That field would say that the order has used the money.
    expect(payout).not.toHaveProperty('order-id');
    expect(payloads('deposit-d', created, voided('child'))).toMatchObject([
      ['deposit-voided', { 'end-to-end-id': 'E1', reason: 'payer-tax-id-mismatch' }],
    ]);
  });
});
