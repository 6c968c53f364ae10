import { generateKeyPairSync } from 'node:crypto';
import type { AccountListing, AccountRecord, ApiKeyRecord, BankState } from '@ponte/contracts';
import {
  AdvanceClock,
  CheckAcceptance,
  ExplainQuote,
  GetBank,
  PriceQuote,
  SetBankBehaviour,
  CreateNftTransfer,
  GetAnyCertificate,
  GetAnyNftTransfer,
  GetNftTransfer,
  IssueCertificate,
  ListAllCertificates,
  GetAnyTransfer,
  ListAllNftTransfers,
  ListAllTransfers,
  ListCertificates,
  ListNftTransfers,
  ChangeWalletMetadata,
  CreateTransfer,
  CreateWallet,
  GetTransfer,
  ListTransfers,
  ListWallets,
  ChangeCapabilities,
  ChangeWebhookEndpoint,
  ChangeWebhookFaults,
  CheckWebhookSignature,
  CreateApiKey,
  CreateWebhookEndpoint,
  DeleteWebhookEndpoint,
  GetWebhookDelivery,
  GetWebhookEndpoint,
  ListAccountEvents,
  ListWebhookDeliveries,
  ReplayWebhookDelivery,
  ReplayWebhookEvents,
  RotateWebhookSecret,
  GetAccount,
  GetAccountListing,
  GetAccountParent,
  GetApiKey,
  GetBalance,
  GetDeposit,
  GetFundingCode,
  GetLimits,
  GetOrder,
  GetPairs,
  GetWhitelistedWallets,
  ListAccounts,
  ListAllAccounts,
  ListDeposits,
  ListOrders,
  ListWebhookEndpoints,
  OpenAccount,
  ORDERABLE_PAIRS,
  PingWebhookEndpoint,
  PlaceOrder,
  RequestQuote,
  RevokeApiKey,
  secretHashOf,
  WhitelistWallet,
  ConfirmUsdDeposit,
  GetFxDays,
  GetIofPayable,
  ListUsdDeposits,
  RecordUsdDeposit,
  RejectUsdDeposit,
  AdvanceWithdrawal,
  CreateWithdrawal,
  GetAnyWithdrawal,
  GetWithdrawal,
  ListAllWithdrawals,
  ListAddressMatches,
  ListAddressReviews,
  SearchAddressReviews,
  ListWithdrawals,
  DecideAddressReview,
  GetAddressReview,
  SetSandboxPricing,
  SimulateDeposit,
  SimulateTokenDeposit,
  GetAnyDeposit,
  ListAllDeposits,
  SimulatePixPayment,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { SAMPLE } from '../api/samples';
import { answerOnboarding } from './onboarding-fixtures';
import { answerRules } from './rules-world';
import { answerReview } from './staff-fixtures';
import {
  deliveryRecord,
  certificateRecord,
  depositRecord,
  endpointRecord,
  explainedQuote,
  nftTransferRecord,
  orderRecord,
  publishedEnvelope,
  quoteRecord,
  tokenDepositRecord,
  transferRecord,
  usdDepositRecord,
  walletRecord,
  withdrawalRecord,
} from './records';
import type { StubBus } from './stub-bus';

const account = (accountId: string, parentId: string | null, alias: string): AccountRecord => ({
  accountId,
  parentId,
  alias,
  status: 'active',
  externalId: null,
  onboardingMode: parentId ? null : 'kyc',
  capabilities: parentId ? [] : ['manage-holders'],
  taxIdFingerprint: 'f'.repeat(64),
  createdAt: SAMPLE.time,
});

const BANK: BankState = {
  callbacks: 'prompt',
  returns: 'prompt',
  settlement: 'prompt',
  faults: [{ operation: 'put-charge', fault: 'done' }],
  received: '10.00',
  returned: '0.00',
};

/** Two partners, the first with a child, and their keys. */
export const PARTNER = '0190f8a0-0000-7000-8000-0000000000a0';
export const CHILD = '0190f8a0-0000-7000-8000-0000000000a1';
export const STRANGER = '0190f8a0-0000-7000-8000-0000000000b0';
export const STRANGERS_CHILD = '0190f8a0-0000-7000-8000-0000000000b1';
/** The account of the first partner's request that the routes create. */
const PENDING = new Map<string, AccountListing>([
  [SAMPLE.accountId, { ...account(SAMPLE.accountId, PARTNER, 'Account 5c2a1e8f'), status: 'pending' as const }],
]);
export const UNKNOWN = '0190f8a0-0000-7000-8000-0000000000ff';

const part = (letter: string) => letter.repeat(24);
const secret = (letter: string) => `sk_test_${part(letter)}_${letter.repeat(43)}`;
export const KEY = {
  partner: secret('a'),
  readOnly: secret('b'),
  child: secret('c'),
  stranger: secret('d'),
  revoked: secret('e'),
  elsewhere: secret('f'),
  slow: secret('9'),
};
export const JWT_KEY_ID = `ak_test_${part('7')}`;
export const jwtKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const bearer = (clear: string, accountId: string, more: Partial<ApiKeyRecord> = {}): ApiKeyRecord => ({
  keyId: `ak_test_${clear.slice(8, 32)}`,
  accountId,
  name: 'test',
  access: 'read-write',
  credential: { kind: 'bearer', secretHash: secretHashOf(clear) },
  ipAllowlist: [],
  rateLimits: null,
  revoked: false,
  ...more,
});

export interface Fixtures {
  readonly accounts: Map<string, AccountRecord>;
  readonly keys: Map<string, ApiKeyRecord>;
}

/** Makes the bus answer as the services would for these accounts. */
export function populate(bus: StubBus, personalData: PersonalData): Fixtures {
  const accounts = new Map(
    [
      account(PARTNER, null, 'Partner'),
      account(CHILD, PARTNER, 'Child'),
      account(STRANGER, null, 'Stranger'),
      account(STRANGERS_CHILD, STRANGER, 'Child of a stranger'),
    ].map((one) => [one.accountId, one]),
  );
  const keys = new Map(
    [
      bearer(KEY.partner, PARTNER),
      bearer(KEY.readOnly, PARTNER, { access: 'read-only' }),
      bearer(KEY.child, CHILD),
      bearer(KEY.stranger, STRANGER),
      bearer(KEY.revoked, PARTNER, { revoked: true }),
      bearer(KEY.elsewhere, PARTNER, { ipAllowlist: ['10.0.0.0/8', '2001:db8::/32'] }),
      bearer(KEY.slow, PARTNER, { rateLimits: { writesPerSecond: 1, writeBurst: 2, readsPerSecond: 1, readBurst: 3 } }),
      {
        ...bearer(KEY.partner, PARTNER),
        keyId: JWT_KEY_ID,
        credential: {
          kind: 'jwt' as const,
          algorithm: 'ES256' as const,
          publicKey: jwtKeys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        },
      },
    ].map((one) => [one.keyId, one]),
  );
  bus.on(GetApiKey, ({ keyId }) => keys.get(keyId) ?? null);
  bus.on(GetAccount, ({ accountId }) => accounts.get(accountId) ?? null);
  bus.on(GetAccountParent, ({ accountId }) => accounts.get(accountId) ?? PENDING.get(accountId) ?? null);
  bus.on(GetAccountListing, ({ accountId }) => accounts.get(accountId) ?? PENDING.get(accountId) ?? null);
  bus.on(ListAccounts, ({ accountId }) => ({
    items: [...accounts.values()].filter((one) => one.accountId === accountId || one.parentId === accountId),
    next: null,
  }));
  answerMoney(bus, personalData);
  answerWithdrawals(bus, personalData);
  answerChains(bus);
  answerCertificates(bus);
  answerWebhooks(bus);
  answerOnboarding(bus, personalData);
  answerStaff(bus, accounts, keys);
  answerReview(bus, personalData);
  return { accounts, keys };
}

function answerMoney(bus: StubBus, personalData: PersonalData): void {
  bus.on(RequestQuote, (payload) => quoteRecord(payload));
  answerRules(bus);
  bus.on(ExplainQuote, ({ quoteId, accountId }) =>
    quoteId === SAMPLE.quoteId ? explainedQuote(accountId ?? PARTNER) : null,
  );
  bus.on(PriceQuote, (payload) => quoteRecord(payload));
  bus.on(CheckAcceptance, (payload) => orderRecord(payload));
  bus.on(PlaceOrder, (payload) => orderRecord(payload));
  bus.on(GetOrder, ({ accountId, orderId }) => (orderId === SAMPLE.orderId ? orderRecord({ accountId }) : null));
  bus.on(ListOrders, ({ accountId, page }) => ({
    items: Array.from({ length: Math.min(page.limit, 2) }, () => orderRecord({ accountId })),
    next: page.cursor ? null : { createdAt: SAMPLE.time, id: SAMPLE.orderId },
  }));
  bus.on(GetBalance, () => ({ running: '1250.00', available: '1150.00', held: '100.00', asOf: SAMPLE.time }));
  bus.on(GetLimits, () => ({
    limits: [
      {
        sourceAsset: 'fiat/brl' as const,
        targetAsset: 'eth-base/brlv' as const,
        side: 'source' as const,
        asset: 'fiat/brl' as const,
        minimum: '1.00',
        maximum: '10000000.00',
      },
    ],
  }));
  bus.on(GetPairs, () => ({
    pairs: ORDERABLE_PAIRS.map((pair) => ({ ...pair, validitySeconds: 900, rateLocks: [] })),
  }));
  bus.on(GetFundingCode, () => ({ brcode: SAMPLE.brcode }));
  bus.on(GetDeposit, async ({ accountId, depositId }) =>
    depositId === SAMPLE.depositId ? depositRecord(personalData, { accountId }) : null,
  );
  bus.on(ListDeposits, async ({ accountId }) => ({
    items: [
      await depositRecord(personalData, { accountId }),
      await depositRecord(personalData, { accountId, status: 'voided', voidReason: 'payer-tax-id-mismatch' }),
    ],
    next: null,
  }));
  bus.on(SimulatePixPayment, ({ amount }) => ({
    endToEndId: SAMPLE.endToEndId,
    amount: amount ?? '100.00',
    settledAt: SAMPLE.time,
  }));
  bus.on(SimulateTokenDeposit, ({ asset, amount }) => ({
    asset,
    amount,
    txHash: SAMPLE.txHash,
    sourceAddress: SAMPLE.otherWallet,
    targetAddress: SAMPLE.wallet,
  }));
  bus.on(ListAllDeposits, async () => ({
    items: [await depositRecord(personalData), await tokenDepositRecord(personalData)],
    next: null,
  }));
  bus.on(GetAnyDeposit, async ({ depositId }) =>
    depositId === SAMPLE.depositId ? tokenDepositRecord(personalData) : null,
  );
  bus.on(SimulateDeposit, ({ type, amount }) => ({
    type,
    asset: 'fiat/brl' as const,
    amount,
    endToEndId: 'STR0123456789ABCDEF0123',
  }));
  bus.on(SetSandboxPricing, (payload) => payload);
  bus.on(AdvanceClock, () => ({ now: SAMPLE.time, aheadMs: 60_000 }));
  bus.on(GetBank, () => BANK);
  bus.on(SetBankBehaviour, () => BANK);
}

const REVIEW = {
  hits: [{ list: 'ofac-sdn', entryId: '101', programs: ['CYBER2'] }],
  heldAt: SAMPLE.time,
  verdicts: [{ staffId: SAMPLE.parentId, verdict: 'false-positive', reason: 'Ticket 1', reviewedAt: SAMPLE.time }],
} as const;

function answerWithdrawals(bus: StubBus, personalData: PersonalData): void {
  const one = (withdrawalId: string, accountId: string) =>
    withdrawalId === SAMPLE.withdrawalId ? withdrawalRecord(personalData, { accountId }) : null;
  const list = async (accountId: string) => ({
    items: [
      await withdrawalRecord(personalData, { accountId }),
      await withdrawalRecord(personalData, { accountId, method: 'ted', scheduledFor: SAMPLE.later }),
    ],
    next: null,
  });
  bus.on(CreateWithdrawal, ({ withdrawalId, accountId, amount, externalId }) =>
    withdrawalRecord(personalData, { id: withdrawalId, accountId, amount, externalId }),
  );
  bus.on(GetWithdrawal, async ({ withdrawalId, accountId }) => one(withdrawalId, accountId));
  bus.on(GetAnyWithdrawal, async ({ withdrawalId }) => one(withdrawalId, SAMPLE.accountId));
  bus.on(AdvanceWithdrawal, async ({ withdrawalId, accountIds: [accountId = ''] }) => one(withdrawalId, accountId));
  bus.on(ListWithdrawals, ({ accountId }) => list(accountId));
  bus.on(RecordUsdDeposit, ({ accountId, amount }) => usdDepositRecord(personalData, { accountId, amount }));
  for (const decision of [ConfirmUsdDeposit, RejectUsdDeposit])
    bus.on(decision, ({ depositId }) => usdDepositRecord(personalData, { id: depositId, status: 'credited' }));
  bus.on(ListUsdDeposits, async () => ({ items: [await usdDepositRecord(personalData)], next: null }));
  const review = (id: string) => ({
    ...REVIEW,
    id,
    subject: { kind: 'withdrawal' as const, id },
    accountId: SAMPLE.accountId,
    address: SAMPLE.wallet,
    chain: 'eth-base' as const,
    outcome: 'waits' as const,
  });
  bus.on(ListAddressReviews, () => ({ reviews: [review(SAMPLE.withdrawalId)] }));
  bus.on(SearchAddressReviews, () => ({
    items: [review(SAMPLE.withdrawalId)],
    next: { createdAt: SAMPLE.time, id: SAMPLE.withdrawalId },
  }));
  bus.on(ListAddressMatches, ({ accountId }) => ({
    matches: [
      {
        reviewId: SAMPLE.withdrawalId,
        subject: { kind: 'withdrawal' as const, id: SAMPLE.withdrawalId },
        accountId,
        address: SAMPLE.wallet,
        chain: 'eth-base' as const,
        reason: 'Ticket 1',
        staffId: SAMPLE.parentId,
        decidedAt: SAMPLE.time,
      },
    ],
    total: 1,
  }));
  bus.on(GetAddressReview, ({ reviewId }) => (reviewId === SAMPLE.withdrawalId ? review(reviewId) : null));
  bus.on(DecideAddressReview, ({ reviewId }) => review(reviewId));
  bus.on(GetFxDays, () => ({
    days: [
      {
        day: '2026-03-02',
        asset: 'eth-base/usdc' as const,
        trades: 1,
        tokensSold: '179.096457',
        brlReceived: '956.59',
        tokensBought: '0.000000',
        brlPaid: '0.00',
        spread: '7.66',
        fees: '2.00',
        iof: '33.75',
        tokenPosition: '-179.096457',
        brlPosition: '956.59',
        rate: '5.3412000035',
        profit: '9.66',
      },
    ],
  }));
  bus.on(GetIofPayable, ({ by }) => ({
    periods: [{ period: by === 'day' ? '2026-03-02' : '2026-03', trades: 1, amount: '33.75' }],
  }));
  bus.on(ListAllWithdrawals, () => list(SAMPLE.accountId));
}

function answerChains(bus: StubBus): void {
  bus.on(ListWallets, ({ accountId }) => ({ items: [walletRecord({ accountId })], next: null }));
  bus.on(CreateWallet, ({ accountId, name, chain, metadata, uiEnabled }) =>
    walletRecord({ accountId, name, chain, metadata, uiEnabled }),
  );
  bus.on(ChangeWalletMetadata, ({ accountId, walletId, uiEnabled }) =>
    walletId === SAMPLE.walletId
      ? walletRecord({ accountId, uiEnabled: uiEnabled ?? false })
      : refuse('wallet-not-found', 'the account has no such wallet'),
  );
  bus.on(CreateTransfer, ({ accountId, transferId: id, externalId }) => transferRecord({ accountId, id, externalId }));
  bus.on(GetTransfer, ({ accountId, transferId }) =>
    transferId === SAMPLE.transferId ? transferRecord({ accountId }) : null,
  );
  bus.on(ListTransfers, ({ accountId }) => ({
    items: [
      transferRecord({
        accountId,
        state: 'failed',
        txHash: SAMPLE.txHash,
        failure: { code: 'transfer-reverted', message: 'why', retryable: true },
      }),
    ],
    next: null,
  }));
}

function answerCertificates(bus: StubBus): void {
  const failed = {
    state: 'failed' as const,
    txHash: SAMPLE.txHash,
    failure: { code: 'target-refused', message: 'why', retryable: false },
  };
  const certificateOf = (certificateId: string) =>
    certificateId === SAMPLE.certificateId ? certificateRecord() : null;
  bus.on(IssueCertificate, ({ certificateId: id, accountId, walletAddress, amount, issuedBy }) =>
    certificateRecord({ id, accountId, walletAddress, amount, issuedBy, status: 'issued', txHash: null }),
  );
  bus.on(ListCertificates, ({ accountId }) => ({
    items: [certificateRecord({ accountId, status: 'transferring' })],
    next: { createdAt: SAMPLE.time, id: SAMPLE.orderId },
  }));
  bus.on(ListAllCertificates, () => ({
    items: [certificateRecord({ status: 'failed', failure: failed.failure })],
    next: null,
  }));
  bus.on(GetAnyCertificate, ({ certificateId }) => certificateOf(certificateId));
  bus.on(CreateNftTransfer, ({ accountId, transferId: id, externalId }) =>
    nftTransferRecord({ accountId, id, externalId }),
  );
  bus.on(GetNftTransfer, ({ accountId, transferId }) =>
    transferId === SAMPLE.nftTransferId ? nftTransferRecord({ accountId }) : null,
  );
  bus.on(GetAnyNftTransfer, ({ transferId }) => (transferId === SAMPLE.nftTransferId ? nftTransferRecord() : null));
  bus.on(ListNftTransfers, ({ accountId }) => ({ items: [nftTransferRecord({ accountId, ...failed })], next: null }));
  bus.on(ListAllTransfers, ({ accountId }) => ({
    items: [transferRecord({ accountId: accountId ?? SAMPLE.accountId })],
    next: null,
  }));
  bus.on(GetAnyTransfer, ({ transferId }) => (transferId === SAMPLE.transferId ? transferRecord({}) : null));
  bus.on(ListAllNftTransfers, () => ({ items: [nftTransferRecord(failed)], next: null }));
}

function answerWebhooks(bus: StubBus): void {
  bus.on(CreateWebhookEndpoint, (payload) => ({
    ...endpointRecord(payload),
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  }));
  bus.on(ListWebhookEndpoints, ({ accountId }) => ({ items: [endpointRecord({ accountId })], next: null }));
  bus.on(DeleteWebhookEndpoint, ({ endpointId }) => ({ deleted: endpointId === SAMPLE.endpointId }));
  bus.on(PingWebhookEndpoint, ({ endpointId }) =>
    endpointId === SAMPLE.endpointId ? { eventId: SAMPLE.eventId, queuedAt: SAMPLE.time } : null,
  );
  const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const known = <T>(endpointId: string, answer: T): T | null => (endpointId === SAMPLE.endpointId ? answer : null);
  bus.on(GetWebhookEndpoint, ({ accountId, endpointId }) => known(endpointId, endpointRecord({ accountId })));
  bus.on(ChangeWebhookEndpoint, ({ accountId, endpointId, description }) =>
    known(endpointId, endpointRecord({ accountId, description })),
  );
  bus.on(RotateWebhookSecret, ({ accountId, endpointId }) =>
    known(endpointId, { ...endpointRecord({ accountId }), secret: SECRET }),
  );
  bus.on(ListWebhookDeliveries, ({ accountId, endpointId }) =>
    known(endpointId, { items: [deliveryRecord({ accountId })], next: null }),
  );
  const delivery = ({ accountId, deliveryId }: { accountId: string; deliveryId: string }) =>
    deliveryId === SAMPLE.deliveryId ? deliveryRecord({ accountId }) : null;
  bus.on(GetWebhookDelivery, delivery);
  bus.on(ReplayWebhookDelivery, delivery);
  bus.on(ReplayWebhookEvents, ({ endpointId, from, to, eventTypes }) =>
    known(endpointId, { replayId: SAMPLE.eventId, from, to, eventTypes, missedOnly: false, requestedAt: SAMPLE.time }),
  );
  bus.on(ChangeWebhookFaults, ({ endpointId, faults: { respond500Minutes, ...faults } }) =>
    known(endpointId, { ...faults, respond500Until: respond500Minutes > 0 ? SAMPLE.later : null }),
  );
  bus.on(CheckWebhookSignature, ({ endpointId }) =>
    known(endpointId, { checks: [{ part: 'id', result: 'correct' as const, message: 'as it must be' }] }),
  );
  bus.on(ListAccountEvents, ({ after }) =>
    after === 7
      ? { expired: true as const, firstKept: 100 }
      : {
          expired: false as const,
          events: after === 'end' ? [] : [{ number: 42, envelope: publishedEnvelope() }],
          next: 42,
          more: false,
        },
  );
}

function answerStaff(bus: StubBus, accounts: Fixtures['accounts'], keys: Fixtures['keys']): void {
  bus.on(OpenAccount, ({ accountId, parentId, alias }) => account(accountId, parentId, alias));
  bus.on(ListAllAccounts, () => ({ items: [...accounts.values()], next: null }));
  bus.on(
    WhitelistWallet,
    ({ accountId }) => accounts.get(accountId) ?? refuse('account-not-found', 'there is no such account'),
  );
  bus.on(GetWhitelistedWallets, () => ({ wallets: [{ address: SAMPLE.wallet, fx: true }] }));
  bus.on(
    ChangeCapabilities,
    ({ accountId }) => accounts.get(accountId) ?? refuse('account-not-found', 'there is no such account'),
  );
  bus.on(CreateApiKey, (payload) => ({ ...payload, revoked: false }));
  bus.on(RevokeApiKey, ({ keyId }) => ({
    ...bearer(KEY.partner, PARTNER),
    keyId: keys.get(keyId)?.keyId ?? keyId,
    revoked: true,
  }));
}
