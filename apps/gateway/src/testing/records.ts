import type {
  CertificateRecord,
  DepositRecord,
  ExplainedQuote,
  NftTransferRecord,
  OrderRecord,
  PublishedEnvelope,
  QuoteRecord,
  RequestQuotePayload,
  TransferRecord,
  WalletRecord,
  WebhookDeliveryRecord,
  WebhookEndpointRecord,
  WithdrawalRecord,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { SAMPLE } from '../api/samples';

export const SENDER = { taxId: '11144477735', account: '998877-6', branch: '4321' };

export const quoteRecord = (payload: Partial<RequestQuotePayload> = {}): QuoteRecord => {
  const rate = { amount: '1.0000000000', base: 'BRLV', quote: 'BRL' };
  const none = { amount: '0.00', asset: 'fiat/brl' as const };
  return {
    quoteId: payload.quoteId ?? SAMPLE.quoteId,
    accountId: payload.accountId ?? SAMPLE.accountId,
    scope: payload.scope ?? 'account',
    sourceAsset: payload.sourceAsset ?? 'fiat/brl',
    targetAsset: payload.targetAsset ?? 'eth-base/brlv',
    sourceAmount: '100.00',
    targetAmount: '100.000000000000000000',
    givenSide: 'source',
    createdAt: SAMPLE.time,
    expiresAt: SAMPLE.later,
    pricing: {
      baseRate: rate,
      spread: { ...none, bps: 0 },
      fee: { ...none, kind: 'fixed' },
      iof: { ...none, applicable: false, basisRef: 'psav-res-521-2025' },
    },
    offMarketPricing: false,
    vet: rate,
    tradeReason: payload.tradeReason ?? null,
    rateLock: payload.rateLock ?? null,
    state: 'open',
    orderId: null,
  };
};

export const explainedQuote = (accountId: string): ExplainedQuote => ({
  quote: quoteRecord({ accountId }),
  steps: [{ name: 'R', formula: '1', value: '1.0000000000' }],
  inputs: {
    givenAmount: '100.00',
    rates: [
      {
        of: 'usd-brl',
        rate: '5.3412000000',
        source: 'median',
        observedAt: SAMPLE.time,
        readings: [
          {
            source: 'bank-a',
            rate: '5.3412000000',
            observedAt: SAMPLE.time,
            weight: 1,
            spreadBps: null,
            verdict: 'used',
          },
        ],
      },
    ],
    offMarketSet: null,
    rulesVersion: SAMPLE.quoteId,
    rules: [{ table: 'limits', row: 1, values: { minimum: '1.00' } }],
  },
});

export const orderRecord = (
  more: Partial<OrderRecord> & { sourcePaymentMethod?: 'brcode' | 'account-balance' } = {},
): OrderRecord => {
  const brcode = more.sourcePaymentMethod === 'brcode';
  return {
    id: SAMPLE.orderId,
    accountId: more.accountId ?? SAMPLE.accountId,
    quoteId: more.quoteId ?? SAMPLE.quoteId,
    state: 'created',
    stateUpdatedAt: SAMPLE.time,
    createdAt: SAMPLE.time,
    externalId: more.externalId ?? null,
    sourceAsset: 'fiat/brl',
    targetAsset: 'eth-base/brlv',
    sourceAmount: '100.00',
    targetAmount: '100.000000000000000000',
    baseRate: '1.0000000000',
    effectiveRate: '1.0000000000',
    feeAmount: '0.00',
    feeAsset: 'fiat/brl',
    rateLock: null,
    sourceWalletAddress: null,
    targetWalletAddress: SAMPLE.wallet,
    txHash: null,
    delivery: null,
    failure: null,
    paymentMethod: brcode ? 'brcode' : 'account-balance',
    brcode: brcode ? SAMPLE.brcode : null,
    expiration: brcode ? SAMPLE.later : null,
  };
};

export async function depositRecord(
  personalData: PersonalData,
  more: Partial<DepositRecord> = {},
): Promise<DepositRecord> {
  const [sourceTaxId, sourceAccountNumber, sourceBranchCode, sourceLegalName] = await Promise.all(
    [SENDER.taxId, SENDER.account, SENDER.branch, 'Maria'].map((text) => personalData.seal('a-sender', text)),
  );
  if (!sourceTaxId || !sourceAccountNumber || !sourceBranchCode || !sourceLegalName) throw new Error('sealing failed');
  return {
    id: SAMPLE.depositId,
    accountId: SAMPLE.accountId,
    type: 'pix',
    asset: 'fiat/brl',
    amount: '100.00',
    status: 'credited',
    voidReason: null,
    endToEndId: SAMPLE.endToEndId,
    orderId: null,
    withdrawalId: null,
    recorded: null,
    createdAt: SAMPLE.time,
    statusUpdatedAt: SAMPLE.time,
    processedAt: SAMPLE.time,
    coordinates: {
      sourceTaxId,
      sourceTaxIdFingerprint: 'f'.repeat(64),
      sourceLegalName,
      sourceBankCode: '12345678',
      sourceType: 'checking',
      sourceAccountNumber,
      sourceBranchCode,
      target: 'TXID',
    },
    ...more,
  };
}

/** Tokens from outside that wait: their block is not final. */
export async function tokenDepositRecord(
  personalData: PersonalData,
  more: Partial<DepositRecord> = {},
): Promise<DepositRecord> {
  return {
    ...(await depositRecord(personalData)),
    type: 'token',
    asset: 'eth-base/usdc',
    amount: '25.000000',
    status: 'confirmed',
    processedAt: null,
    endToEndId: null,
    coordinates: {
      sourceChain: 'eth-base',
      sourceAddress: SAMPLE.otherWallet,
      targetAddress: SAMPLE.wallet,
      txHash: SAMPLE.txHash,
      movementId: null,
    },
    ...more,
  };
}

export async function usdDepositRecord(
  personalData: PersonalData,
  more: Partial<DepositRecord> = {},
): Promise<DepositRecord> {
  return {
    ...(await depositRecord(personalData)),
    type: 'manual-fx',
    asset: 'fiat/usd',
    amount: '2500.00',
    status: 'created',
    processedAt: null,
    endToEndId: 'SWIFT-1',
    coordinates: { source: await personalData.seal('a-holder', 'Example Bank'), target: null },
    recorded: { staffId: SAMPLE.parentId, evidence: { bankReference: 'SWIFT-1', documentSha256: '4f'.repeat(32) } },
    ...more,
  };
}

export async function withdrawalRecord(
  personalData: PersonalData,
  more: Partial<WithdrawalRecord> = {},
): Promise<WithdrawalRecord> {
  const seal = (text: string) => personalData.seal('a-payee', text);
  const payee = {
    legalName: await seal('Ana Duarte'),
    taxId: await seal(SENDER.taxId),
    taxIdFingerprint: 'f'.repeat(64),
    bankCode: '756',
    branchCode: await seal(SENDER.branch),
    accountNumber: await seal(SENDER.account),
  };
  const target =
    more.method === 'ted'
      ? { method: 'ted' as const, payee }
      : { method: 'pix' as const, pixKey: await seal(SAMPLE.pixKey), payee };
  return {
    id: SAMPLE.withdrawalId,
    accountId: SAMPLE.accountId,
    asset: 'fiat/brl',
    amount: '100.00',
    method: 'pix',
    state: 'created',
    stateUpdatedAt: SAMPLE.time,
    createdAt: SAMPLE.time,
    createdBy: SAMPLE.parentId,
    createdByApiKey: SAMPLE.keyId,
    externalId: null,
    orderId: null,
    scheduledFor: null,
    target,
    endToEndId: null,
    txHash: null,
    failure: null,
    ...more,
  };
}

export const endpointRecord = (
  more: Partial<WebhookEndpointRecord> & { endpointId?: string } = {},
): WebhookEndpointRecord => ({
  id: more.endpointId ?? SAMPLE.endpointId,
  accountId: more.accountId ?? SAMPLE.accountId,
  url: more.url ?? 'https://partner.example/hooks',
  eventTypes: more.eventTypes ?? null,
  description: more.description ?? null,
  status: 'enabled',
  disabledReason: null,
  disabledAt: null,
  previousSecretUntil: null,
  createdAt: SAMPLE.time,
});

export const deliveryRecord = (more: Partial<WebhookDeliveryRecord> = {}): WebhookDeliveryRecord => ({
  id: SAMPLE.deliveryId,
  endpointId: SAMPLE.endpointId,
  accountId: SAMPLE.accountId,
  eventId: SAMPLE.eventId,
  eventType: 'order-completed',
  resourceType: 'order',
  resourceId: SAMPLE.orderId,
  state: 'succeeded',
  nextAttemptAt: null,
  replayOf: null,
  createdAt: SAMPLE.time,
  updatedAt: SAMPLE.time,
  attempts: [{ attempt: 1, at: SAMPLE.time, outcome: 'delivered', httpStatus: 200, latencyMs: 12, response: null }],
  ...more,
});

export const publishedEnvelope = (more: Partial<PublishedEnvelope> = {}): PublishedEnvelope => ({
  eventId: SAMPLE.eventId,
  eventType: 'order-processing',
  accountId: SAMPLE.accountId,
  resourceType: 'order',
  resourceId: SAMPLE.orderId,
  sequence: 2,
  previousState: 'created',
  occurredAt: SAMPLE.time,
  apiVersion: 'v1',
  payload: { 'order-id': SAMPLE.orderId, 'account-id': SAMPLE.accountId, 'started-at': SAMPLE.time },
  ...more,
});

export const walletRecord = (more: Partial<WalletRecord> = {}): WalletRecord => ({
  id: SAMPLE.walletId,
  accountId: SAMPLE.accountId,
  name: 'Savings',
  chain: 'eth-base',
  address: SAMPLE.wallet,
  assets: ['eth-base/brlv', 'eth-base/usdc'],
  uiEnabled: false,
  metadata: { label: 'Savings' },
  createdAt: SAMPLE.time,
  ...more,
});

export const certificateRecord = (more: Partial<CertificateRecord> = {}): CertificateRecord => ({
  id: SAMPLE.certificateId,
  accountId: SAMPLE.accountId,
  walletAddress: SAMPLE.wallet,
  amount: '100.000000000000000000',
  rewardTier: 90,
  status: 'active',
  statusUpdatedAt: SAMPLE.time,
  createdAt: SAMPLE.time,
  txHash: SAMPLE.txHash,
  failure: null,
  issuedBy: SAMPLE.parentId,
  ...more,
});

export const nftTransferRecord = (more: Partial<NftTransferRecord> = {}): NftTransferRecord => ({
  id: SAMPLE.nftTransferId,
  accountId: SAMPLE.accountId,
  certificateId: SAMPLE.certificateId,
  sourceAddress: SAMPLE.wallet,
  targetAddress: SAMPLE.otherWallet,
  txHash: null,
  state: 'created',
  createdAt: SAMPLE.time,
  stateUpdatedAt: SAMPLE.time,
  createdBy: SAMPLE.parentId,
  createdByApiKey: SAMPLE.keyId,
  externalId: null,
  failure: null,
  ...more,
});

export const transferRecord = (more: Partial<TransferRecord> = {}): TransferRecord => ({
  id: SAMPLE.transferId,
  accountId: SAMPLE.accountId,
  asset: 'eth-base/brlv',
  amount: '25.000000000000000000',
  sourceAddress: SAMPLE.wallet,
  targetAddress: SAMPLE.otherWallet,
  txHash: null,
  state: 'created',
  createdAt: SAMPLE.time,
  stateUpdatedAt: SAMPLE.time,
  externalId: null,
  failure: null,
  ...more,
});
