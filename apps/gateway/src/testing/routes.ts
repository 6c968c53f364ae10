import { PairsDto } from '../api/pairs/pair.dto';
import { QuoteEnvelopeDto } from '../api/quotes/explanation.dto';
import { AccountEnvelopeDto, AccountsDto } from '../api/accounts/account.dto';
import { LimitsDto } from '../api/accounts/limits.dto';
import { BalanceEnvelopeDto } from '../api/balances/balance.dto';
import { FileEnvelopeDto, UPLOAD_EXAMPLE } from '../api/files/file.dto';
import { AccountRequestEnvelopeDto } from '../api/onboarding/account-request.dto';
import { INFORMATION_EXAMPLE, KYC_EXAMPLE, RELIANCE_EXAMPLE } from '../api/onboarding/onboarding.examples';
import { OrderEnvelopeDto, OrdersDto } from '../api/orders/order.dto';
import { QuoteDto } from '../api/quotes/quote.dto';
import { CatalogueDto, StateMachinesDto } from '../api/reference/reference.dto';
import { SAMPLE } from '../api/samples';
import { MOVEMENT_ROUTES } from './movement-routes';
import { OPERATOR_ROUTES } from './operator-routes';
import type { RouteCase } from './route-case';
import { at, get, of, post } from './route-case';
import { SANDBOX_ROUTES } from './sandbox-routes';
import { WEBHOOK_ROUTES } from './webhook-routes';

const QUOTE = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' };
const ORDER = { 'quote-id': SAMPLE.quoteId, 'source-payment-method': 'brcode' };

const REQUEST = `/api/v1/accounts/kyc/individual/${SAMPLE.requestId}`;

/** Every operation of the API. */
export const ROUTES: readonly RouteCase[] = [
  post('create-quote', 'account', of('/quotes'), QUOTE, QuoteDto),
  post('create-quote-v0', 'own', at('/api/v0/quotes'), QUOTE, QuoteDto),
  get('get-quote', 'account', of(`/quotes/${SAMPLE.quoteId}?explain=true`), QuoteEnvelopeDto),
  post('create-order', 'account', of('/orders'), ORDER, OrderEnvelopeDto),
  get('list-orders', 'account', of('/orders'), OrdersDto),
  get('get-order', 'account', of(`/orders/${SAMPLE.orderId}`), OrderEnvelopeDto),
  post('create-order-v0', 'own', at('/api/v0/orders'), ORDER, OrderEnvelopeDto),
  get('list-orders-v0', 'own', at('/api/v0/orders'), OrdersDto),
  get('get-order-v0', 'own', at(`/api/v0/orders/${SAMPLE.orderId}`), OrderEnvelopeDto),
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
  ...MOVEMENT_ROUTES,
  ...WEBHOOK_ROUTES,
  ...SANDBOX_ROUTES,
  ...OPERATOR_ROUTES,
];
