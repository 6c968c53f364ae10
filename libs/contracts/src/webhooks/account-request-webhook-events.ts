import { event, webhookEvent } from './webhook-event';
import { requestedInformation } from './payload-forms';
import { ACCOUNT, accountId, notInExample, externalId, id, optional, oneOf, text, time } from './payload-fields';

/** The types of webhook events about account requests. */
export const ACCOUNT_REQUEST_WEBHOOK_EVENTS = {
  'account-approved': webhookEvent('account-request', event(4, 'approved'), 'The account is active', {
    'subaccount-id': id('Id of the account', ACCOUNT),
    ...externalId,
    status: oneOf(['active'], 'State of the account'),
    'completed-at': time('When it became active'),
  }),
  'account-rejected': webhookEvent(
    'account-request',
    event(4, 'pending'),
    'The account request ended without an account',
    {
      'subaccount-id': id('Id of the account that was requested', ACCOUNT),
      ...externalId,
      status: oneOf(['rejected'], 'State of the request'),
      reason: oneOf(['compliance'], 'Always `compliance`'),
      'rejected-at': time('When the request ended'),
    },
  ),
  'account-request-updated': webhookEvent(
    'account-request',
    event(3, 'pending'),
    'The stage or status of an account request changed',
    {
      'account-request-id': id('Id of the request'),
      'account-id': accountId,
      ...externalId,
      status: text('Status of the request', 'pending'),
      'review-stage': optional(text('Stage of a pending request', 'information-requested')),
      'updated-at': time('When the stage or status changed'),
      reason: notInExample(text('Why it ended, if the reason may be disclosed', 'document-quality')),
      ...requestedInformation,
    },
  ),
};
