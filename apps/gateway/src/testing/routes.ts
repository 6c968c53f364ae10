import type { InjectOptions } from 'fastify';
import { PairsDto } from '../api/pairs/pair.dto';
import { BacktestEnvelopeDto } from '../api/pricing-rules/backtest.dto';
import {
  BACKTEST_REQUEST_EXAMPLE,
  RULES_REQUEST_EXAMPLE,
  RulesCheckEnvelopeDto,
  RulesHistoryDto,
  RulesVersionEnvelopeDto,
} from '../api/pricing-rules/rules.dto';
import { QuoteEnvelopeDto } from '../api/quotes/explanation.dto';
import { AccountEnvelopeDto, AccountsDto } from '../api/accounts/account.dto';
import { LimitsDto } from '../api/accounts/limits.dto';
import { BalanceEnvelopeDto } from '../api/balances/balance.dto';
import { CertificatesDto, IssuedCertificateEnvelopeDto } from '../api/certificates/certificate.dto';
import { DepositEnvelopeDto, DepositsDto, FundingCodeDto } from '../api/deposits/deposit.dto';
import { FileEnvelopeDto, UPLOAD_EXAMPLE } from '../api/files/file.dto';
import { NftTransferEnvelopeDto, NftTransfersDto } from '../api/nft-transfers/nft-transfer.dto';
import { AccountRequestEnvelopeDto } from '../api/onboarding/account-request.dto';
import { INFORMATION_EXAMPLE, KYC_EXAMPLE, RELIANCE_EXAMPLE } from '../api/onboarding/onboarding.examples';
import { OrderEnvelopeDto, OrdersDto } from '../api/orders/order.dto';
import { QuoteDto } from '../api/quotes/quote.dto';
import { CatalogueDto, StateMachinesDto } from '../api/reference/reference.dto';
import { SAMPLE } from '../api/samples';
import { BankEnvelopeDto } from '../api/sandbox/bank.dto';
import { ClockEnvelopeDto } from '../api/sandbox/clock.dto';
import { PixPaymentEnvelopeDto, PricingStateEnvelopeDto, SandboxDepositEnvelopeDto } from '../api/sandbox/sandbox.dto';
import { ApiKeyEnvelopeDto } from '../console-api/api-key.dto';
import { OperatorWalletEnvelopeDto, StaffAccountEnvelopeDto, StaffAccountsDto } from '../console-api/staff.dto';
import {
  STAFF_CERTIFICATE_REQUEST_EXAMPLE,
  StaffCertificateEnvelopeDto,
} from '../console-api/certificates/certificate.dto';
import { TransferEnvelopeDto, TransfersDto } from '../api/transfers/transfer.dto';
import { WalletEnvelopeDto, WalletsDto } from '../api/wallets/wallet.dto';
import { SIGNATURE_REQUEST_EXAMPLE, SignatureVerdictEnvelopeDto } from '../api/sandbox/signature-check.dto';
import { WebhookFaultsEnvelopeDto } from '../api/sandbox/webhook-faults.dto';
import { WebhookDeliveriesDto, WebhookDeliveryEnvelopeDto } from '../api/webhook-endpoints/webhook-delivery.dto';
import {
  NewWebhookEndpointEnvelopeDto,
  PingEnvelopeDto,
  WebhookEndpointEnvelopeDto,
  WebhookEndpointsDto,
} from '../api/webhook-endpoints/webhook-endpoint.dto';
import { WebhookReplayEnvelopeDto } from '../api/webhook-endpoints/webhook-replay.dto';
import { AccountEventsDto } from '../api/webhook-events/account-event.dto';
import { WithdrawalDto, WithdrawalEnvelopeDto, WithdrawalsDto } from '../api/withdrawals/withdrawal.dto';
import type { Shape } from '../validation/members';
import type { Reach } from '../edge/request-context';
import { PARTNER } from './fixtures';

/** One route with a request that is right in every respect. */
export interface RouteCase {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** For an account; the others ignore it. */
  readonly url: (account: string) => string;
  readonly reach: Reach;
  readonly body?: object;
  readonly status: number;
  readonly answer: Shape | null;
}

const QUOTE = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' };
const ORDER = { 'quote-id': SAMPLE.quoteId, 'source-payment-method': 'brcode' };
const WALLET = { 'wallet-name': 'Savings', chain: 'eth-base', metadata: { label: 'Savings' } };
const TRANSFER = {
  'source-address': SAMPLE.wallet,
  asset: 'eth-base/brlv',
  amount: '25.00',
  'target-address': SAMPLE.otherWallet,
};
const NFT_TRANSFER = {
  'source-address': SAMPLE.wallet,
  'target-address': SAMPLE.otherWallet,
  'reward-certificate-id': SAMPLE.certificateId,
};
const ENDPOINT = { url: 'https://partner.example/hooks', 'event-types': ['order-completed'] };

const WITHDRAWAL = { asset: 'fiat/brl', method: 'pix', amount: '10.00', 'pix-key': SAMPLE.pixKey, 'bank-code': null };
const TED = {
  method: 'ted',
  amount: '10.00',
  'bank-code': '756',
  'branch-number': '1',
  'account-number': '123456-7',
  'account-holder-name': 'Ana Duarte',
  'account-holder-tax-id': '52998224725',
};

const REQUEST = `/api/v1/accounts/kyc/individual/${SAMPLE.requestId}`;

const of = (path: string) => (account: string) => `/api/v1/accounts/${account}${path}`;
const at = (path: string) => () => path;

const get = (id: string, reach: Reach, url: RouteCase['url'], answer: Shape): RouteCase => ({
  id,
  method: 'GET',
  url,
  reach,
  status: 200,
  answer,
});
const post = (
  id: string,
  reach: Reach,
  url: RouteCase['url'],
  body: object | undefined,
  answer: Shape,
  status = 200,
): RouteCase => ({ id, method: 'POST', url, reach, status, answer, ...(body ? { body } : {}) });

const patch = (id: string, reach: Reach, url: RouteCase['url'], body: object, answer: Shape): RouteCase => ({
  id,
  method: 'PATCH',
  url,
  reach,
  status: 200,
  answer,
  body,
});

/** Every operation of the API. */
export const ROUTES: readonly RouteCase[] = [
  post('create-quote', 'account', of('/quotes'), QUOTE, QuoteDto),
  post('create-quote-v0', 'own', at('/api/v0/quotes'), QUOTE, QuoteDto),
  get('get-quote', 'account', of(`/quotes/${SAMPLE.quoteId}?explain=true`), QuoteEnvelopeDto),
  get('operator-get-pricing-rules', 'staff', at('/staff/pricing-rules'), RulesHistoryDto),
  get('operator-get-rules-version', 'staff', at(`/staff/pricing-rules/${SAMPLE.quoteId}`), RulesVersionEnvelopeDto),
  post(
    'operator-check-pricing-rules',
    'staff',
    at('/staff/pricing-rules/check'),
    RULES_REQUEST_EXAMPLE,
    RulesCheckEnvelopeDto,
  ),
  post(
    'operator-backtest-pricing-rules',
    'staff',
    at('/staff/pricing-rules/backtest'),
    BACKTEST_REQUEST_EXAMPLE,
    BacktestEnvelopeDto,
  ),
  get('staff-explain-quote', 'staff', at(`/staff/quotes/${SAMPLE.quoteId}`), QuoteEnvelopeDto),
  post('create-order', 'account', of('/orders'), ORDER, OrderEnvelopeDto),
  get('list-orders', 'account', of('/orders'), OrdersDto),
  get('get-order', 'account', of(`/orders/${SAMPLE.orderId}`), OrderEnvelopeDto),
  post('create-order-v0', 'own', at('/api/v0/orders'), ORDER, OrderEnvelopeDto),
  get('list-orders-v0', 'own', at('/api/v0/orders'), OrdersDto),
  get('get-order-v0', 'own', at(`/api/v0/orders/${SAMPLE.orderId}`), OrderEnvelopeDto),
  post('create-withdrawal', 'account', of('/withdrawals'), WITHDRAWAL, WithdrawalEnvelopeDto),
  get('list-withdrawals', 'account', of('/withdrawals'), WithdrawalsDto),
  get('get-withdrawal', 'account', of(`/withdrawals/${SAMPLE.withdrawalId}`), WithdrawalDto),
  post('create-withdrawal-v0', 'own', at('/api/v0/withdrawals'), WITHDRAWAL, WithdrawalEnvelopeDto),
  get('list-withdrawals-v0', 'own', at('/api/v0/withdrawals'), WithdrawalsDto),
  get('get-withdrawal-v0', 'own', at(`/api/v0/withdrawals/${SAMPLE.withdrawalId}`), WithdrawalDto),
  post('create-asset-withdrawal-v0', 'own', at('/api/v0/assets/brl/withdrawals'), TED, WithdrawalEnvelopeDto),
  get('list-asset-withdrawals-v0', 'own', at('/api/v0/assets/brl/withdrawals'), WithdrawalsDto),
  get('get-asset-withdrawal-v0', 'own', at(`/api/v0/assets/brl/withdrawals/${SAMPLE.withdrawalId}`), WithdrawalDto),
  post(
    'simulate-deposit',
    'own',
    at('/api/v1/sandbox/deposits'),
    { 'account-id': PARTNER, type: 'ted', amount: '10.00', 'payer-tax-id': '529.982.247-25' },
    SandboxDepositEnvelopeDto,
  ),
  post(
    'advance-withdrawal',
    'own',
    at(`/api/v1/sandbox/withdrawals/${SAMPLE.withdrawalId}/advance`),
    undefined,
    WithdrawalEnvelopeDto,
  ),
  get('list-wallets', 'account', of('/wallets'), WalletsDto),
  post('create-wallet', 'account', of('/wallets'), WALLET, WalletEnvelopeDto),
  patch(
    'change-wallet',
    'account',
    of(`/wallets/${SAMPLE.walletId}/metadata`),
    { 'ui-enabled': true },
    WalletEnvelopeDto,
  ),
  get('list-wallets-v0', 'own', at('/api/v0/wallets'), WalletsDto),
  post('create-wallet-v0', 'own', at('/api/v0/wallets'), WALLET, WalletEnvelopeDto),
  patch(
    'change-wallet-v0',
    'own',
    at(`/api/v0/wallets/${SAMPLE.walletId}/metadata`),
    { metadata: { label: null } },
    WalletEnvelopeDto,
  ),
  post('create-transfer', 'account', of('/transfers'), TRANSFER, TransferEnvelopeDto),
  get('list-transfers', 'account', of('/transfers'), TransfersDto),
  get('get-transfer', 'account', of(`/transfers/${SAMPLE.transferId}`), TransferEnvelopeDto),
  post('create-transfer-v0', 'own', at('/api/v0/transfers'), TRANSFER, TransferEnvelopeDto),
  get('list-transfers-v0', 'own', at('/api/v0/transfers'), TransfersDto),
  get('get-transfer-v0', 'own', at(`/api/v0/transfers/${SAMPLE.transferId}`), TransferEnvelopeDto),
  get('list-reward-certificates', 'account', of('/reward-certificates'), CertificatesDto),
  post('create-nft-transfer', 'account', of('/nft-transfers'), NFT_TRANSFER, NftTransferEnvelopeDto),
  get('list-nft-transfers', 'account', of('/nft-transfers'), NftTransfersDto),
  get('get-nft-transfer', 'account', of(`/nft-transfers/${SAMPLE.nftTransferId}`), NftTransferEnvelopeDto),
  post('create-nft-transfer-v0', 'own', at('/api/v0/nft-transfers'), NFT_TRANSFER, NftTransferEnvelopeDto),
  get('list-nft-transfers-v0', 'own', at('/api/v0/nft-transfers'), NftTransfersDto),
  get('get-nft-transfer-v0', 'own', at(`/api/v0/nft-transfers/${SAMPLE.nftTransferId}`), NftTransferEnvelopeDto),
  post(
    'issue-sandbox-certificate',
    'own',
    at('/api/v1/sandbox/reward-certificates'),
    { 'account-id': PARTNER, 'wallet-address': SAMPLE.wallet, amount: '10.00' },
    IssuedCertificateEnvelopeDto,
  ),
  get('list-deposits', 'account', of('/assets/brl/deposits'), DepositsDto),
  get('get-funding-code', 'account', of('/deposits/pix'), FundingCodeDto),
  get('get-deposit', 'account', of(`/assets/brl/deposits/${SAMPLE.depositId}`), DepositEnvelopeDto),
  get('list-deposits-v0', 'own', at('/api/v0/assets/brl/deposits'), DepositsDto),
  get('get-deposit-v0', 'own', at(`/api/v0/assets/brl/deposits/${SAMPLE.depositId}`), DepositEnvelopeDto),
  get('get-balance', 'account', of('/assets/brl/balance'), BalanceEnvelopeDto),
  get('get-balance-v0', 'own', at('/api/v0/assets/usdc/balance'), BalanceEnvelopeDto),
  get('list-accounts', 'own', at('/api/v1/accounts'), AccountsDto),
  post(
    'create-account',
    'own',
    at('/api/v1/accounts'),
    {
      'tax-id': '529.982.247-25',
      'tax-document-type': 'cpf',
      'tax-residence': 'BRA',
      'kyc-attestation-id': 'a-1',
      'reward-tier': 90,
    },
    AccountEnvelopeDto,
    201,
  ),
  get('get-account', 'account', of(''), AccountEnvelopeDto),
  get('list-pairs', 'own', at('/api/v1/pairs'), PairsDto),
  get('get-limits', 'account', of('/limits'), LimitsDto),
  post(
    'create-account-request',
    'own',
    at('/api/v1/accounts/kyc/individual'),
    KYC_EXAMPLE,
    AccountRequestEnvelopeDto,
    201,
  ),
  post(
    'create-reliance-request',
    'own',
    at('/api/v1/accounts/reliance'),
    RELIANCE_EXAMPLE,
    AccountRequestEnvelopeDto,
    201,
  ),
  post(
    'create-reliance-request-short',
    'own',
    at('/v1/accounts/reliance'),
    RELIANCE_EXAMPLE,
    AccountRequestEnvelopeDto,
    201,
  ),
  get('get-account-request', 'own', at(REQUEST), AccountRequestEnvelopeDto),
  post('provide-information', 'own', at(`${REQUEST}/information`), INFORMATION_EXAMPLE, AccountRequestEnvelopeDto),
  post('cancel-account-request', 'own', at(`${REQUEST}/cancel`), undefined, AccountRequestEnvelopeDto),
  post('upload-file', 'own', at('/api/v1/accounts/files'), UPLOAD_EXAMPLE, FileEnvelopeDto, 201),
  get('list-errors', 'public', at('/api/v1/errors'), CatalogueDto),
  get('list-state-machines', 'public', at('/api/v1/state-machines'), StateMachinesDto),
  post('create-webhook-endpoint', 'account', of('/webhook-endpoints'), ENDPOINT, NewWebhookEndpointEnvelopeDto),
  get('list-webhook-endpoints', 'account', of('/webhook-endpoints'), WebhookEndpointsDto),
  {
    id: 'delete-webhook-endpoint',
    method: 'DELETE',
    url: of(`/webhook-endpoints/${SAMPLE.endpointId}`),
    reach: 'account',
    status: 204,
    answer: null,
  },
  post(
    'ping-webhook-endpoint',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}/ping`),
    undefined,
    PingEnvelopeDto,
    202,
  ),
  get('get-webhook-endpoint', 'account', of(`/webhook-endpoints/${SAMPLE.endpointId}`), WebhookEndpointEnvelopeDto),
  patch(
    'change-webhook-endpoint',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}`),
    { description: 'Orders', 'event-types': ['*'], enabled: true, 'replay-missed': true },
    WebhookEndpointEnvelopeDto,
  ),
  post(
    'rotate-webhook-secret',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}/rotate-secret`),
    undefined,
    NewWebhookEndpointEnvelopeDto,
  ),
  post(
    'replay-webhook-events',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}/replay`),
    { from: SAMPLE.time, to: SAMPLE.later },
    WebhookReplayEnvelopeDto,
    202,
  ),
  get(
    'list-webhook-deliveries',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}/deliveries`),
    WebhookDeliveriesDto,
  ),
  get(
    'get-webhook-delivery',
    'account',
    of(`/webhook-endpoints/deliveries/${SAMPLE.deliveryId}`),
    WebhookDeliveryEnvelopeDto,
  ),
  post(
    'replay-webhook-delivery',
    'account',
    of(`/webhook-endpoints/deliveries/${SAMPLE.deliveryId}/replay`),
    undefined,
    WebhookDeliveryEnvelopeDto,
    202,
  ),
  get('list-account-events', 'account', of('/events'), AccountEventsDto),
  post(
    'change-webhook-faults',
    'account',
    of(`/webhook-endpoints/${SAMPLE.endpointId}/faults`),
    { duplicate: true },
    WebhookFaultsEnvelopeDto,
  ),
  post(
    'check-signature',
    'own',
    at('/api/v1/sandbox/signature-check'),
    SIGNATURE_REQUEST_EXAMPLE,
    SignatureVerdictEnvelopeDto,
  ),
  post(
    'simulate-pix-payment',
    'own',
    at('/api/v1/sandbox/pix-payments'),
    { brcode: SAMPLE.brcode, amount: '1.00', 'payer-tax-id': '529.982.247-25' },
    PixPaymentEnvelopeDto,
  ),
  post(
    'set-sandbox-pricing',
    'own',
    at('/api/v1/sandbox/pricing'),
    { rate: '5.3412', 'off-market': null },
    PricingStateEnvelopeDto,
  ),
  post('advance-clock', 'own', at('/api/v1/sandbox/clock/advance'), { seconds: 60 }, ClockEnvelopeDto),
  post(
    'decide-account-request',
    'own',
    at(`/api/v1/sandbox/account-requests/${SAMPLE.requestId}/decision`),
    { decision: 'reject' },
    AccountRequestEnvelopeDto,
  ),
  post(
    'staff-open-account',
    'staff',
    at('/staff/accounts'),
    {
      'parent-id': PARTNER,
      alias: 'Customer 1',
      'legal-name': 'Canary Person',
      'tax-id': '529.982.247-25',
      capabilities: ['international-travels'],
      'bank-account': { 'bank-code': '001', 'branch-number': '0001', 'account-number': '123456-7' },
    },
    StaffAccountEnvelopeDto,
  ),
  get('staff-list-accounts', 'staff', at('/staff/accounts'), StaffAccountsDto),
  post(
    'staff-change-capabilities',
    'staff',
    at(`/staff/accounts/${PARTNER}/capabilities`),
    { grant: ['pay-after-acceptance'] },
    StaffAccountEnvelopeDto,
  ),
  post(
    'staff-whitelist-wallet',
    'staff',
    at(`/staff/accounts/${PARTNER}/whitelisted-wallets`),
    { address: SAMPLE.wallet },
    OperatorWalletEnvelopeDto,
  ),
  post(
    'staff-issue-account-certificate',
    'staff',
    at(`/staff/accounts/${PARTNER}/reward-certificates`),
    STAFF_CERTIFICATE_REQUEST_EXAMPLE,
    StaffCertificateEnvelopeDto,
  ),
  post(
    'staff-create-api-key',
    'staff',
    at(`/staff/accounts/${PARTNER}/api-keys`),
    { name: 'back end', access: 'read-write', bearer: true },
    ApiKeyEnvelopeDto,
  ),
  post('staff-advance-clock', 'staff', at('/staff/sandbox/clock/advance'), { until: SAMPLE.time }, ClockEnvelopeDto),
  get('staff-get-bank', 'staff', at('/staff/sandbox/bank'), BankEnvelopeDto),
  post(
    'staff-set-bank-behaviour',
    'staff',
    at('/staff/sandbox/bank'),
    { callbacks: 'held', fault: { operation: 'put-charge', fault: 'error' } },
    BankEnvelopeDto,
  ),
  post(
    'staff-revoke-api-key',
    'staff',
    at(`/staff/api-keys/${SAMPLE.keyId}/revoke`),
    { reason: 'rotated' },
    ApiKeyEnvelopeDto,
  ),
];

/** The route's request, with these credentials. */
export const requestOf = (route: RouteCase, account: string, headers: Record<string, string> = {}): InjectOptions => ({
  method: route.method,
  url: route.url(account),
  headers: { ...(route.body ? { 'content-type': 'application/json' } : {}), ...headers },
  ...(route.body ? { payload: JSON.stringify(route.body) } : {}),
});

/** Operations whose response goes on: asked for by tests of their own. */
export const STREAMS: readonly RouteCase[] = [
  {
    id: 'stream-account-events',
    method: 'GET',
    url: of('/events/stream'),
    reach: 'account',
    status: 200,
    answer: null,
  },
];
