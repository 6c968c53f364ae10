import type { DomainEvent, Recorded } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import {
  AcceptanceAbandoned,
  DepositConfirmed,
  DepositCreated,
  DepositCredited,
  DepositReturned,
  DepositVoided,
  NO_CHARGES,
  OrderCompleted,
  OrderPlaced,
  OrderProcessingStarted,
  OrderRolledBack,
  TransferCompleted,
  TransferCreated,
  TransferFailed,
  TransferPending,
  TransferSendingStarted,
} from '@ponte/contracts';
import type { PixCoordinates } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { MASKED } from './deposit-payloads.domain';
import { pingEnvelope } from './ping.domain';
import type { Publication } from './publication.domain';
import { publicationsOf, publishedEventId } from './publication.domain';
import type { SourceEvent } from './published-events.domain';
import { NO_HISTORY, historyAfter } from './publication-history.domain';
import { shown, wireBody } from '@ponte/contracts';

const AT = '2026-03-02T12:00:00.000Z';
const order = { orderId: 'o', accountId: 'child' };
const placed = new OrderPlaced({
  ...order,
  quoteId: 'q',
  parentId: 'partner',
  createdBy: 'partner',
  createdByApiKey: 'ak_test_1',
  externalId: 'x-1',
  createdAt: AT,
  sourceAsset: 'fiat/brl',
  targetAsset: 'eth-base/brlv',
  sourceAmount: '100.00',
  targetAmount: '100.000000000000000000',
  baseRate: '1.0000000000',
  effectiveRate: '1.0000000000',
  feeAmount: '0.00',
  feeAsset: 'fiat/brl',
  rateLock: null,
  charges: NO_CHARGES,
  settlement: 'mint',
  pixDelivery: null,
  sourceWalletAddress: null,
  target: { address: '0xabc', custody: true },
  funding: { kind: 'account-balance', holdId: 'h' },
});
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
const coordinates: PixCoordinates = {
  sourceTaxId: 'sealed:v1:p:1',
  sourceTaxIdFingerprint: 'f',
  sourceLegalName: 'sealed:v1:p:2',
  sourceBankCode: '12345678',
  sourceType: 'checking',
  sourceAccountNumber: 'sealed:v1:p:3',
  sourceBranchCode: 'sealed:v1:p:4',
  target: 'T',
};
const deposit = { depositId: 'd', type: 'pix', asset: 'fiat/brl', amount: '50.00', orderId: null } as const;
const depositCreated = (accountId: string | null) =>
  new DepositCreated({
    ...deposit,
    accountId,
    parentId: accountId && 'partner',
    endToEndId: 'E1',
    coordinates,
    settledAt: AT,
    createdAt: AT,
  });
const credited = new DepositCredited({ ...deposit, accountId: 'child', processedAt: AT, coordinates });
const voided = (accountId: string | null) =>
  new DepositVoided({ ...deposit, accountId, voidedAt: AT, reason: 'payer-tax-id-mismatch', returnId: 'r' });

/** What is published of a stream, event by event. */
function published(stream: string, ...facts: DomainEvent[]): Publication[] {
  let history = NO_HISTORY;
  return facts.flatMap((recorded, revision) => {
    const event = {
      ...recorded,
      id: `${stream}/${revision}`,
      stream,
      revision,
      position: String(revision),
      version: 1,
      meta: { commandId: 'c', index: 0, count: 1, occurredAt: AT, correlationId: 'r' },
    } as unknown as Recorded<SourceEvent>;
    const found = publicationsOf(event, history);
    for (const {
      envelope: { eventType, payload: sent },
    } of found)
      expect([eventType, contracts.payloadFaults(eventType, sent)]).toEqual([eventType, []]);
    history = historyAfter(history, event);
    return found;
  });
}
const kinds = (publications: Publication[]) =>
  publications.map(({ audience, envelope: { eventType, sequence, previousState } }) => [
    audience,
    eventType,
    sequence,
    previousState,
  ]);
const payload = (publications: Publication[], kind: string) =>
  publications.find(({ envelope }) => envelope.eventType === kind)?.envelope.payload ?? {};

describe('the webhooks of an account', () => {
  it('a deposit that the bank took back after it was credited: voided, after processed, with its reason and the sender masked', () => {
    const taken = new DepositVoided({
      ...deposit,
      accountId: 'child',
      voidedAt: AT,
      reason: 'taken-back',
      returnId: null,
    });
    const confirmed = new DepositConfirmed({ depositId: deposit.depositId, accountId: 'child', confirmedAt: AT });
    const found = published('deposit-d', depositCreated('child'), confirmed, credited, taken);
    expect(kinds(found)).toEqual([
      ['child', 'deposit-processed', 1, 'confirmed'],
      ['partner', 'deposit-processed', 1, 'confirmed'],
      ['child', 'deposit-voided', 2, 'credited'],
      ['partner', 'deposit-voided', 2, 'credited'],
    ]);
    expect(payload(found, 'deposit-voided')).toMatchObject({
      status: 'voided',
      reason: 'taken-back',
      'source-legal-name': MASKED,
      'source-account-number': MASKED,
    });
  });

  it('an order: to its account and its parent, in sequence from 1, with the state before', () => {
    expect(kinds(published('order-o', placed, processing, completed))).toEqual([
      ['child', 'order-created', 1, null],
      ['partner', 'order-created', 1, null],
      ['child', 'order-processing', 2, 'created'],
      ['partner', 'order-processing', 2, 'created'],
      ['child', 'order-completed', 3, 'processing'],
      ['partner', 'order-completed', 3, 'processing'],
    ]);
  });

  it('a token transfer: pending, then how it ended, with the members of the contract', () => {
    const terms = {
      transferId: 't',
      accountId: 'child',
      createdBy: 'partner',
      createdByApiKey: 'ak_test_1',
      asset: 'eth-base/brlv',
      amount: '1.000000000000000000',
      sourceAddress: '0x1',
      targetAddress: '0x2',
    } as const;
    const created = new TransferCreated({
      ...terms,
      parentId: 'partner',
      sourceWalletId: 'w',
      receiver: null,
      bodyHash: null,
      externalId: null,
      holdId: 'h',
      createdAt: AT,
    });
    const started = new TransferSendingStarted({ transferId: 't', accountId: 'child', startedAt: AT });
    const pending = new TransferPending({ ...terms, txHash: '0xa', pendingAt: AT });
    const done = published(
      'transfer-t',
      created,
      started,
      pending,
      new TransferCompleted({ ...terms, txHash: '0xa', completedAt: AT }),
    );
    expect(kinds(done)).toEqual([
      ['child', 'token-transfer-pending', 1, 'created'],
      ['partner', 'token-transfer-pending', 1, 'created'],
      ['child', 'token-transfer-completed', 2, 'pending'],
      ['partner', 'token-transfer-completed', 2, 'pending'],
    ]);
    const members = {
      'transfer-id': 't',
      'account-id': 'child',
      'created-by': 'partner',
      'created-by-api-key': 'ak_test_1',
      asset: 'eth-base/brlv',
      amount: '1.000000000000000000',
      'source-wallet-address': '0x1',
      'target-wallet-address': '0x2',
      'tx-hash': '0xa',
    };
    expect(payload(done, 'token-transfer-completed')).toEqual({ ...members, 'completed-at': AT });
    expect(done[0]?.envelope).toMatchObject({ resourceType: 'transfer', resourceId: 't', accountId: 'child' });
    const failure = { code: 'transfer-reverted', message: 'why', retryable: true };
    const failed = published(
      'transfer-t',
      created,
      pending,
      new TransferFailed({ ...terms, txHash: '0xa', failure, failedAt: AT }),
    );
    expect(payload(failed, 'token-transfer-failed')).toEqual({ ...members, 'failed-at': AT, failure });
    expect(payload(failed, 'token-transfer-pending')).toEqual({ ...members, 'pending-at': AT });
    const raised = new TransferPending({ ...terms, txHash: '0xb', pendingAt: AT });
    const again = published('transfer-t', created, pending, raised);
    expect(kinds(again).slice(2)).toEqual([
      ['child', 'token-transfer-pending', 2, 'pending'],
      ['partner', 'token-transfer-pending', 2, 'pending'],
    ]);
    expect(again.at(-1)?.envelope.payload).toMatchObject({ 'tx-hash': '0xb' });
  });

  it('a deposit of tokens whose block was replaced: voided with its addresses, and nothing of a bank', () => {
    const tokens = { ...deposit, type: 'token', asset: 'eth-base/usdc', amount: '1.000000' } as const;
    const from = {
      sourceChain: 'eth-base',
      sourceAddress: '0x1',
      targetAddress: '0x2',
      txHash: '0xa',
      movementId: null,
    } as const;
    const arrival = { blockNumber: '7', blockHash: '0xb', logIndex: 0 };
    const reported = published(
      'deposit-d',
      new DepositCreated({
        ...tokens,
        accountId: 'child',
        parentId: null,
        endToEndId: null,
        coordinates: from,
        arrival,
        settledAt: AT,
        createdAt: AT,
      }),
      new DepositVoided({
        ...tokens,
        accountId: 'child',
        voidedAt: AT,
        reason: 'reorged',
        returnId: null,
        tokenCoordinates: from,
      }),
    );
    expect(kinds(reported)).toEqual([['child', 'deposit-voided', 1, 'created']]);
    expect(payload(reported, 'deposit-voided')).toEqual({
      'deposit-id': 'd',
      'account-id': 'child',
      asset: 'eth-base/usdc',
      amount: '1.000000',
      status: 'voided',
      'deposit-type': 'token',
      'voided-at': AT,
      reason: 'reorged',
      'source-address': '0x1',
      'target-address': '0x2',
      'tx-hash': '0xa',
    });
  });

  it('an NFT transfer: only how it ended, with the certificate', () => {
    const terms = {
      transferId: 't',
      accountId: 'child',
      createdBy: 'partner',
      createdByApiKey: 'ak_test_1',
      certificateId: 'c',
      sourceAddress: '0x1',
      targetAddress: '0x2',
    } as const;
    const created = new contracts.NftTransferCreated({
      ...terms,
      parentId: 'partner',
      sourceWalletId: 'w',
      receiver: null,
      bodyHash: null,
      externalId: null,
      createdAt: AT,
    });
    const started = new contracts.NftTransferSendingStarted({ transferId: 't', accountId: 'child', startedAt: AT });
    const pending = new contracts.NftTransferPending({ ...terms, txHash: '0xa', pendingAt: AT });
    const done = published(
      'nftTransfer-t',
      created,
      started,
      pending,
      new contracts.NftTransferCompleted({ ...terms, txHash: '0xa', completedAt: AT }),
    );
    expect(kinds(done)).toEqual([
      ['child', 'nft-transfer-completed', 1, 'pending'],
      ['partner', 'nft-transfer-completed', 1, 'pending'],
    ]);
    const members = {
      'transfer-id': 't',
      'account-id': 'child',
      'created-by': 'partner',
      'created-by-api-key': 'ak_test_1',
      'reward-certificate-id': 'c',
      'source-wallet-address': '0x1',
      'target-wallet-address': '0x2',
    };
    expect(payload(done, 'nft-transfer-completed')).toEqual({ ...members, 'tx-hash': '0xa', 'completed-at': AT });
    expect(done[0]?.envelope).toMatchObject({ resourceType: 'nft-transfer', resourceId: 't', accountId: 'child' });
    const failure = { code: 'account-not-active', message: 'why', retryable: false };
    const failed = published(
      'nftTransfer-t',
      created,
      new contracts.NftTransferFailed({ ...terms, txHash: null, failure, failedAt: AT }),
    );
    expect(kinds(failed)[0]).toEqual(['child', 'nft-transfer-failed', 1, 'created']);
    expect(payload(failed, 'nft-transfer-failed')).toEqual({ ...members, 'failed-at': AT, failure });
  });

  it('a deposit of tokens: where it came from on the chain, and nothing of a bank', () => {
    const tokens = { ...deposit, type: 'token', asset: 'eth-base/brlv', amount: '1.000000000000000000' } as const;
    const from = {
      sourceChain: 'eth-base',
      sourceAddress: '0x1',
      targetAddress: '0x2',
      txHash: '0xa',
      movementId: 't',
    } as const;
    const reported = published(
      'deposit-d',
      new DepositCreated({
        ...tokens,
        accountId: 'child',
        parentId: null,
        endToEndId: null,
        coordinates: from,
        settledAt: AT,
        createdAt: AT,
      }),
      new DepositConfirmed({ depositId: 'd', accountId: 'child', confirmedAt: AT }),
      new DepositCredited({ ...tokens, accountId: 'child', processedAt: AT, coordinates: from, createdAt: AT }),
    );
    expect(kinds(reported)).toEqual([['child', 'deposit-processed', 1, 'confirmed']]);
    expect(payload(reported, 'deposit-processed')).toEqual({
      'deposit-id': 'd',
      'account-id': 'child',
      asset: 'eth-base/brlv',
      amount: '1.000000000000000000',
      status: 'credited',
      'deposit-type': 'token',
      'source-address': '0x1',
      'target-address': '0x2',
      'tx-hash': '0xa',
      'created-at': AT,
    });
  });

  it('counts published kinds alone', () => {
    const abandoned = new AcceptanceAbandoned({ ...order, fundingId: 'h' });
    const back = new OrderRolledBack({
      ...order,
      rolledBackAt: AT,
      previousState: 'created',
      failure: { code: 'brcode-expired', message: 'not paid', retryable: true },
    });
    expect(kinds(published('order-o', abandoned, placed, back)).filter(([audience]) => audience === 'child')).toEqual([
      ['child', 'order-created', 1, null],
      ['child', 'order-rolled-back', 2, 'created'],
    ]);
    expect(payload(published('order-o', placed, back), 'order-rolled-back')).toEqual({
      'order-id': 'o',
      'account-id': 'child',
      'rolled-back-at': AT,
      failure: { code: 'brcode-expired', message: 'not paid', retryable: true },
    });
  });

  it('an account without a parent has one audience', () => {
    const alone = new OrderPlaced({ ...placed.data, parentId: null });
    expect(published('order-o', alone, processing).map(({ audience }) => audience)).toEqual(['child', 'child']);
  });

  it('order-completed has exactly the members of the contract', () => {
    const members = payload(published('order-o', placed, processing, completed), 'order-completed');
    expect(Object.keys(members)).toEqual([
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
    ]);
    expect(members).toMatchObject({
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

  it('order-completed says whether the BRL reached the Pix key, without a member that is null', () => {
    const reported = (delivery: contracts.Delivery) => {
      const ended = new OrderCompleted({ ...completed.data, delivery });
      return payload(published('order-o', placed, processing, ended), 'order-completed')['delivery'];
    };
    expect(reported({ state: 'delivered', reason: null })).toEqual({ state: 'delivered' });
    const kept = { state: 'kept-in-balance', reason: 'bank-refused' } as const;
    expect(reported(kept)).toEqual(kept);
  });

  it('deposit-processed has exactly the members of the contract, the personal ones sealed', () => {
    const publications = published(
      'deposit-d',
      depositCreated('child'),
      new DepositConfirmed({ depositId: 'd', accountId: 'child', confirmedAt: AT }),
      credited,
    );
    expect(kinds(publications)).toEqual([
      ['child', 'deposit-processed', 1, 'confirmed'],
      ['partner', 'deposit-processed', 1, 'confirmed'],
    ]);
    const members = payload(publications, 'deposit-processed');
    expect(Object.keys(members)).toEqual([
      'deposit-id',
      'account-id',
      'amount',
      'status',
      'deposit-type',
      'processed-at',
      'source-legal-name',
      'source-tax-id',
      'source-bank-code',
      'source-branch-code',
      'source-account-number',
    ]);
    expect(members).toMatchObject({
      status: 'credited',
      'source-tax-id': 'sealed:v1:p:1',
      'source-bank-code': '12345678',
    });
  });

  it('a voided deposit masks its sender', () => {
    const publications = published(
      'deposit-d',
      depositCreated('child'),
      voided('child'),
      new DepositReturned({ depositId: 'd', returnId: 'r', returnedAt: AT }),
    );
    expect(kinds(publications)).toEqual([
      ['child', 'deposit-voided', 1, 'created'],
      ['partner', 'deposit-voided', 1, 'created'],
    ]);
    expect(payload(publications, 'deposit-voided')).toMatchObject({
      reason: 'payer-tax-id-mismatch',
      'source-tax-id': coordinates.sourceTaxId,
      'source-legal-name': MASKED,
      'source-account-number': MASKED,
      'source-branch-code': MASKED,
    });
    expect(
      ['deposit-voided', 'deposit-processed'].map((eventType) =>
        shown({ eventType: eventType as 'deposit-voided' }, '52998224725'),
      ),
    ).toEqual(['***.982.247-**', '52998224725']);
    expect(
      ['12ABC34501DE35', ERASED, 'anything'].map((clear) => shown({ eventType: 'deposit-voided' }, clear)),
    ).toEqual(['**.ABC.345/****-**', ERASED, MASKED]);
  });

  it('a withdrawal is published from its processing on, with exactly the documented members, the personal ones sealed', () => {
    const sealedText = 'sealed:v1:p:1' as const;
    const payee = {
      legalName: sealedText,
      taxId: sealedText,
      taxIdFingerprint: 'f',
      bankCode: '12345678',
      branchCode: sealedText,
      accountNumber: sealedText,
    };
    const target = { method: 'pix', pixKey: sealedText, payee } as const;
    const ids = { withdrawalId: 'w', accountId: 'child' };
    const by = { createdBy: 'partner', createdByApiKey: 'ak' };
    const what = { asset: 'fiat/brl', amount: '10.00', holdId: 'h' } as const;
    const asked = new contracts.WithdrawalCreated({
      ...ids,
      ...by,
      ...what,
      parentId: 'partner',
      keyHash: null,
      bodyHash: null,
      externalId: null,
      target,
      scheduledFor: null,
      createdAt: AT,
    });
    const started = new contracts.WithdrawalProcessingStarted({
      ...ids,
      ...what,
      method: 'pix',
      destinationWalletAddress: null,
      startedAt: AT,
    });
    const paid = new contracts.WithdrawalCompleted({
      ...ids,
      ...by,
      asset: 'fiat/brl',
      amount: '10.00',
      target,
      endToEndId: 'E1',
      txHash: null,
      processedAt: AT,
    });
    const publications = published('withdrawal-w', asked, started, paid);
    expect(kinds(publications).filter(([audience]) => audience === 'child')).toEqual([
      ['child', 'withdraw-processing', 1, 'created'],
      ['child', 'withdraw-completed', 2, 'processing'],
    ]);
    expect(payload(publications, 'withdraw-completed')).toEqual({
      'withdraw-id': 'w',
      'account-id': 'child',
      'created-by': 'partner',
      'created-by-api-key': 'ak',
      asset: 'fiat/brl',
      amount: '10.00',
      'processed-at': AT,
      method: 'pix',
      'target-legal-name': sealedText,
      'target-tax-id': sealedText,
      'target-bank-code': '12345678',
      'target-branch-code': sealedText,
      'target-account-number': sealedText,
    });
    const token = { method: 'token', destinationWalletAddress: '0xabc' } as const;
    const sent = new contracts.WithdrawalCompleted({
      ...ids,
      ...by,
      asset: 'eth-base/usdc',
      amount: '1.000000',
      target: token,
      endToEndId: null,
      txHash: '0x1',
      processedAt: AT,
    });
    expect(payload(published('withdrawal-w', asked, started, sent), 'withdraw-completed')).toEqual({
      'withdraw-id': 'w',
      'account-id': 'child',
      'created-by': 'partner',
      'created-by-api-key': 'ak',
      asset: 'eth-base/usdc',
      amount: '1.000000',
      'processed-at': AT,
      'destination-wallet-address': '0xabc',
      'tx-hash': '0x1',
    });
    const back = new contracts.WithdrawalRolledBack({
      ...ids,
      ...by,
      ...what,
      method: 'pix',
      previousState: 'created',
      rolledBackAt: AT,
      failure: { code: 'bank-refused', message: 'm', retryable: true },
    });
    expect(kinds(published('withdrawal-w', asked, back))[0]).toEqual(['child', 'withdraw-rolled-back', 1, 'created']);
    const ofOrder = [started, paid, back].map((fact) => ({ ...fact, data: { ...fact.data, orderId: 'o' } }));
    for (const { envelope } of published('withdrawal-w', asked, ...(ofOrder as DomainEvent[])))
      expect(envelope.payload).toMatchObject({ 'order-id': 'o' });
  });

  it('a deposit whose account is unknown is not published', () => {
    expect(published('deposit-d', depositCreated(null), voided(null))).toEqual([]);
  });

  it('event ids derive from the source event and the audience', () => {
    const [child, parent] = published('order-o', placed);
    const kind = { sourceEventId: 'order-o/0', eventType: 'order-created' } as const;
    expect(child?.envelope.eventId).toBe(publishedEventId(kind, 'child'));
    expect(parent?.envelope.eventId).toBe(publishedEventId(kind, 'partner'));
    expect(child?.envelope.eventId).not.toBe(parent?.envelope.eventId);
    expect({ ...child?.envelope, eventId: '' }).toEqual({ ...parent?.envelope, eventId: '' });
  });

  it('goes over the wire as the envelope of the contract', () => {
    const envelope = pingEnvelope({ endpointId: 'e', accountId: 'a', eventId: 'i', sequence: 4, pingedAt: AT });
    expect(JSON.parse(wireBody(envelope, envelope.payload))).toEqual({
      'event-id': 'i',
      'event-type': 'webhook-ping',
      payload: { 'webhook-endpoint-id': 'e', 'account-id': 'a', 'pinged-at': AT },
      'account-id': 'a',
      'resource-type': 'webhook-endpoint',
      'resource-id': 'e',
      sequence: 4,
      'occurred-at': AT,
      'api-version': 'v1',
    });
  });
});

describe('a member that does not apply', () => {
  it('is absent from every payload and envelope, and never null', () => {
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

describe('the webhooks of an account request', () => {
  const about = { requestId: 'r', accountId: 'child', parentId: 'partner' };
  const sealed = 'sealed:v1:p:1' as const;
  const requested = new contracts.AccountRequested({
    ...about,
    mode: 'reliance',
    attempt: 1,
    rewardTier: 90,
    externalId: null,
    externalWallets: [],
    fourEyes: false,
    sandboxOutcome: null,
    requestedAt: AT,
    details: {
      mode: 'reliance',
      taxDocumentType: 'cpf',
      kycAttestationId: sealed,
      holder: {
        subjectId: 'p',
        identifierFingerprint: 'f',
        country: 'BRA',
        identifier: sealed,
        maskedIdentifier: sealed,
        taxResidence: 'BRA',
      },
    },
  });
  const screening = new contracts.ScreeningStarted({ ...about, round: 1, startedAt: AT });
  const hits = new contracts.ScreeningRecorded({
    ...about,
    round: 1,
    person: 'holder',
    hits: [{ list: 'un', entryId: '1', score: 99, match: sealed }],
    recordedAt: AT,
  });
  const review = new contracts.ReviewRequested({
    ...about,
    causes: ['screening-hit'],
    fourEyes: false,
    rewardTier: 90,
    requestedAt: AT,
  });
  const approved = new contracts.AccountRequestApproved({ ...about, approvedBy: ['staff'], approvedAt: AT });
  const active = new contracts.AccountRequestActivated({ ...about, activatedAt: AT });

  it('approved: stages on the way, then account-approved when the account is active', () => {
    const reported = published('accountRequest-r', requested, screening, hits, review, approved, active);
    expect(kinds(reported).filter(([audience]) => audience === 'partner')).toEqual([
      ['partner', 'account-request-updated', 1, 'pending'],
      ['partner', 'account-request-updated', 2, 'pending'],
      ['partner', 'account-request-updated', 3, 'pending'],
      ['partner', 'account-approved', 4, 'approved'],
    ]);
    expect(reported[0]?.envelope).toMatchObject({
      resourceType: 'account-request',
      resourceId: 'r',
      accountId: 'child',
    });
    expect(payload(reported, 'account-approved')).toEqual({
      'subaccount-id': 'child',
      status: 'active',
      'completed-at': AT,
    });
    expect(JSON.stringify(reported.map(({ envelope }) => envelope))).not.toMatch(/sealed|staff|screening-hit/);
  });

  it.each([
    [
      new contracts.AccountRequestRejected({
        ...about,
        reason: 'sanctions',
        shownReason: 'compliance',
        rejectedAt: AT,
      }),
      { status: 'rejected', reason: 'compliance' },
    ],
    [
      new contracts.AccountRequestRejected({
        ...about,
        reason: 'document-quality',
        shownReason: 'document-quality',
        rejectedAt: AT,
      }),
      { status: 'rejected', reason: 'document-quality' },
    ],
    [new contracts.AccountRequestExpired({ ...about, expiredAt: AT }), { status: 'expired', reason: 'expired' }],
    [new contracts.AccountRequestCancelled({ ...about, cancelledAt: AT }), { status: 'cancelled' }],
  ])('$type: account-request-updated says how it ended, account-rejected always the same', (ended, shownAs) => {
    const reported = published('accountRequest-r', requested, ended);
    expect(kinds(reported)).toEqual([
      ['child', 'account-request-updated', 1, 'pending'],
      ['partner', 'account-request-updated', 1, 'pending'],
      ['child', 'account-rejected', 2, 'pending'],
      ['partner', 'account-rejected', 2, 'pending'],
    ]);
    expect(new Set(reported.map(({ envelope }) => envelope.eventId)).size).toBe(4);
    expect(reported[3]?.earlier.map(({ eventType }) => eventType)).toEqual(['account-request-updated']);
    expect(payload(reported, 'account-request-updated')).toEqual({
      'account-request-id': 'r',
      'account-id': 'child',
      'updated-at': AT,
      ...shownAs,
    });
    expect(payload(reported, 'account-rejected')).toEqual({
      'subaccount-id': 'child',
      status: 'rejected',
      reason: 'compliance',
      'rejected-at': AT,
    });
    expect(JSON.stringify(reported.map(({ envelope }) => envelope))).not.toContain('sanctions');
  });

  it('says what is missing, and nothing of a request that never came', () => {
    const asked = new contracts.InformationRequested({
      ...about,
      items: ['document'],
      issues: ['document-quality'],
      requestedAt: AT,
      dueAt: AT,
    });
    expect(payload(published('accountRequest-r', requested, asked), 'account-request-updated')).toMatchObject({
      'account-request-id': 'r',
      status: 'pending',
      'review-stage': 'information-requested',
      missing: ['document'],
      issues: ['document-quality'],
      'information-due-at': AT,
    });
    expect(
      published('accountRequest-r', new contracts.AccountRequestAbandoned({ requestId: 'r', abandonedAt: AT })),
    ).toEqual([]);
  });
});
