import { ACCOUNT_REQUEST_WEBHOOK_EVENTS } from './account-request-webhook-events';
import type { WebhookEventDefinition } from './webhook-event';
import { event, webhookEvent } from './webhook-event';
import { ORDER_WEBHOOK_EVENTS } from './order-webhook-events';
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
  optional,
  oneOf,
  OTHER_WALLET,
  text,
  time,
  txHash,
  wallet,
} from './payload-fields';

const ofEndpoint = { 'webhook-endpoint-id': id('The endpoint'), 'account-id': accountId };
const REVERTED = failure('transfer-reverted', 'The transaction was reverted on the chain. Nothing was moved.');

const EVENTS = {
  'deposit-processed': webhookEvent(
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
  'deposit-voided': webhookEvent(
    'deposit',
    event(1, 'created'),
    'A deposit was refused, was reversed by the bank, or was in a block that was replaced',
    voidedPayment,
    voidedTokens,
  ),
  ...ORDER_WEBHOOK_EVENTS,
  'withdraw-processing': webhookEvent('withdrawal', event(1, 'created'), 'A withdrawal is being paid out', {
    ...ofWithdrawal,
    ...createdBy,
    method,
    'started-at': time('When the payout began'),
  }),
  'withdraw-completed': webhookEvent(
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
      'target-branch-code': optional(text('Branch of the payee', '0001')),
      'target-account-number': optional(text('Account of the payee', '123456-7')),
    },
    {
      ...ofWithdrawal,
      ...createdBy,
      'processed-at': time('When it was paid out'),
      'destination-wallet-address': wallet('Wallet that received', OTHER_WALLET),
      'tx-hash': optional(txHash),
    },
  ),
  'withdraw-rolled-back': webhookEvent(
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
  'token-transfer-pending': webhookEvent(
    'transfer',
    event(1, 'created'),
    'A token transfer was sent to the chain, or sent again under another hash',
    {
      ...ofTransfer,
      'pending-at': time('When it was sent'),
    },
  ),
  'token-transfer-completed': webhookEvent('transfer', event(2, 'pending'), 'A token transfer is completed', {
    ...ofTransfer,
    'completed-at': time('When it was completed'),
  }),
  'token-transfer-failed': webhookEvent('transfer', event(2, 'pending'), 'A token transfer failed', {
    ...ofTransfer,
    'failed-at': time('When it failed'),
    failure: REVERTED,
  }),
  'nft-transfer-completed': webhookEvent(
    'nft-transfer',
    event(1, 'pending'),
    'A transfer of a reward certificate is completed',
    {
      ...ofNftTransfer,
      'completed-at': time('When it was completed'),
    },
  ),
  'nft-transfer-failed': webhookEvent(
    'nft-transfer',
    event(1, 'pending'),
    'A transfer of a reward certificate failed',
    {
      ...ofNftTransfer,
      'failed-at': time('When it failed'),
      failure: REVERTED,
    },
  ),
  ...ACCOUNT_REQUEST_WEBHOOK_EVENTS,
  'account-updated': webhookEvent('account', event(1, 'active'), 'The account was frozen, released or closed', {
    'account-id': accountId,
    ...externalId,
    status: oneOf(['frozen', 'active', 'closed'], 'State of the account'),
    'updated-at': time('When the state changed'),
  }),
  'webhook-ping': webhookEvent(
    'webhook-ping',
    event(1, null),
    'A ping was requested. Sent only to that endpoint, and not in the event log',
    {
      ...ofEndpoint,
      'pinged-at': time('When it was requested'),
    },
  ),
  'webhook-endpoint-disabled': webhookEvent(
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

export type WebhookEventType = keyof typeof EVENTS;

/** The definitions of all event types, for the OpenAPI and AsyncAPI documents and for the checks of payloads. */
export const WEBHOOK_EVENTS: Readonly<Record<WebhookEventType, WebhookEventDefinition>> = EVENTS;

/** All event types, in the order of the documentation. */
export const WEBHOOK_EVENT_TYPES = Object.keys(EVENTS) as WebhookEventType[];
