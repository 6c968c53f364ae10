import { ACCOUNT_REQUEST_KINDS } from './account-request-kinds';
import type { WebhookKind } from './kind';
import { event, kind } from './kind';
import { ORDER_KINDS } from './order-kinds';
import {
  source,
  voidedPayment,
  voidedTokens,
  ofDeposit,
  ofPayment,
  ofWithdrawal,
  method,
  ofNftTransfer,
  ofTransfer,
} from './payload-forms';
import {
  accountId,
  createdBy,
  endToEndId,
  externalId,
  failure,
  id,
  maybe,
  oneOf,
  OTHER_WALLET,
  text,
  time,
  txHash,
  wallet,
} from './payload-members';

const ofEndpoint = { 'webhook-endpoint-id': id('The endpoint'), 'account-id': accountId };
const REVERTED = failure('transfer-reverted', 'The transaction was reverted on the chain. Nothing was moved.');

const KINDS = {
  'deposit-processed': kind(
    'deposit',
    event(1, 'confirmed'),
    'Money or tokens were credited',
    {
      ...ofDeposit,
      status: oneOf(['credited'], 'State of the deposit'),
      'processed-at': time('When it was credited'),
      ...ofPayment,
      ...source(false),
    },
    {
      ...ofDeposit,
      status: oneOf(['credited'], 'State of the deposit'),
      'source-address': wallet('Wallet that paid'),
      'target-address': wallet('Wallet that received', OTHER_WALLET),
      'tx-hash': txHash,
      'created-at': time('When Ponte saw the transfer'),
    },
  ),
  'deposit-voided': kind(
    'deposit',
    event(1, 'created'),
    'A deposit was refused, was reversed by the bank, or was in a block that was replaced',
    voidedPayment,
    voidedTokens,
  ),
  ...ORDER_KINDS,
  'withdraw-processing': kind('withdrawal', event(1, 'created'), 'A withdrawal is being paid out', {
    ...ofWithdrawal,
    ...createdBy,
    method,
    'started-at': time('When the payout began'),
  }),
  'withdraw-completed': kind(
    'withdrawal',
    event(2, 'processing'),
    'A withdrawal was paid out',
    {
      ...ofWithdrawal,
      ...createdBy,
      method,
      'processed-at': time('When it was paid out'),
      ...endToEndId,
      'target-legal-name': text('Name of the payee', 'Maria Souza'),
      'target-tax-id': text(
        'CPF or CNPJ of the payee; masked for the owner of a Pix key who is not the holder of the account',
        '52998224725',
      ),
      'target-bank-code': text('Bank of the payee', '12345678'),
      'target-branch-code': maybe(text('Branch of the payee', '0001')),
      'target-account-number': maybe(text('Account of the payee', '123456-7')),
    },
    {
      ...ofWithdrawal,
      ...createdBy,
      'processed-at': time('When it was paid out'),
      'destination-wallet-address': wallet('Wallet that received', OTHER_WALLET),
      'tx-hash': maybe(txHash),
    },
  ),
  'withdraw-rolled-back': kind(
    'withdrawal',
    event(2, 'processing'),
    'A withdrawal failed and its funds were returned',
    {
      ...ofWithdrawal,
      ...createdBy,
      method,
      'rolled-back-at': time('When the funds were returned'),
      failure: failure('bank-refused', "The payee's bank refused the payment."),
    },
  ),
  'token-transfer-pending': kind(
    'transfer',
    event(1, 'created'),
    'A token transfer was sent to the chain, or sent again under another hash',
    {
      ...ofTransfer,
      'pending-at': time('When it was sent'),
    },
  ),
  'token-transfer-completed': kind('transfer', event(2, 'pending'), 'A token transfer is completed', {
    ...ofTransfer,
    'completed-at': time('When it was completed'),
  }),
  'token-transfer-failed': kind('transfer', event(2, 'pending'), 'A token transfer failed', {
    ...ofTransfer,
    'failed-at': time('When it failed'),
    failure: REVERTED,
  }),
  'nft-transfer-completed': kind(
    'nft-transfer',
    event(1, 'pending'),
    'A transfer of a reward certificate is completed',
    {
      ...ofNftTransfer,
      'completed-at': time('When it was completed'),
    },
  ),
  'nft-transfer-failed': kind('nft-transfer', event(1, 'pending'), 'A transfer of a reward certificate failed', {
    ...ofNftTransfer,
    'failed-at': time('When it failed'),
    failure: REVERTED,
  }),
  ...ACCOUNT_REQUEST_KINDS,
  'account-updated': kind('account', event(1, 'active'), 'The account was frozen, released or closed', {
    'account-id': accountId,
    ...externalId,
    status: oneOf(['frozen', 'active', 'closed'], 'State of the account'),
    'updated-at': time('When the state changed'),
  }),
  'webhook-ping': kind(
    'webhook-ping',
    event(1, null),
    'A ping was requested. Sent only to that endpoint, and not in the event log',
    {
      ...ofEndpoint,
      'pinged-at': time('When it was requested'),
    },
  ),
  'webhook-endpoint-disabled': kind(
    'webhook-endpoint',
    event(1, 'enabled'),
    'An endpoint was disabled. Sent to the other endpoints of the account and to those of its parent',
    {
      ...ofEndpoint,
      reason: oneOf(['no-success', 'gone'], 'No delivery succeeded for 120 h, or the endpoint responded 410'),
      'disabled-at': time('When it was disabled'),
    },
  ),
};

export type WebhookEventType = keyof typeof KINDS;

/**
 * All kinds of webhook events with their payloads, for the OpenAPI and AsyncAPI documents and for the checks of
 * payloads.
 */
export const WEBHOOK_KINDS: Readonly<Record<WebhookEventType, WebhookKind>> = KINDS;

/** The names of the kinds, in the order of the documentation. */
export const WEBHOOK_EVENT_TYPES = Object.keys(KINDS) as WebhookEventType[];
