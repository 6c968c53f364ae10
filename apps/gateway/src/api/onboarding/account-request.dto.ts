import type { AccountRequestStatus, RequirementName, ReviewStage } from '@ponte/contracts';
import { accountRequestMachine, INFORMATION_ITEMS, PARTNER_REASONS, reviewStageMachine } from '@ponte/contracts';
import type { RewardTier } from '@ponte/kernel';
import { REWARD_TIERS } from '@ponte/kernel';
import { flag, instant, oneOf, text, uuid } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { Optional, OptionalObject, Required, RequiredObject } from '../../validation/members';
import { listOfWords } from '../../validation/list-field-types';
import { numberOf } from '../../validation/person-field-types';
import { isValue, sentWithout, Together } from '../../validation/together';
import { SAMPLE } from '../samples';

const PARTS: readonly RequirementName[] = [
  'personal-data',
  'screening',
  'review',
  'provisioning',
  ...INFORMATION_ITEMS,
];
const parts = listOfWords(0, PARTS);

export class MaskedIdentifierDto {
  @Required(text(1, 100), 'Masked; `[erased]` once the person was erased', '***.982.247-**')
  value!: string;

  @Required(text(3, 3), 'ISO 3166-1 alpha-3', 'BRA')
  country!: string;
}

export class RequirementsDto {
  @Required(parts, 'Done', ['personal-data', 'address', 'document'])
  complete!: string[];

  @Required(parts, 'Being looked at', ['screening', 'review'])
  pending!: string[];

  @Required(parts, 'For you to send, by POST …/information', [])
  missing!: string[];

  @Required(listOfWords(0, PARTNER_REASONS), 'What was found wanting', [])
  issues!: string[];
}

export class RequestFailureDto {
  @Required(text(1, 100), 'A word for programs', 'chain-unavailable')
  code!: string;

  @Required(text(1, 1000), 'For people', 'The chain does not answer.')
  message!: string;

  @Required(flag, 'Whether it is tried again', true)
  retryable!: boolean;
}

/** A request for an account. Documents, liveness and PEP data are never shown. */
export class AccountRequestDto {
  @Required(uuid, 'The request', SAMPLE.requestId)
  id!: string;

  @Required(uuid, 'The account that it becomes, the same from the beginning', SAMPLE.accountId)
  'account-id'!: string;

  @Required(uuid, 'Who asked', SAMPLE.parentId)
  'parent-id'!: string;

  @Required(oneOf(['kyc', 'reliance']), 'Who checks the person', 'kyc')
  mode!: string;

  @Required(oneOf(['individual']), 'What kind of account', 'individual')
  type!: string;

  @Required(oneOf(Object.keys(accountRequestMachine)), 'See GET /api/v1/state-machines', 'pending')
  status!: AccountRequestStatus;

  @Optional(oneOf(Object.keys(reviewStageMachine)), 'While it is pending', 'manual-review')
  'review-stage'?: ReviewStage;

  @Required(numberOf(REWARD_TIERS), 'Percent', 90)
  'reward-tier'!: RewardTier;

  @RequiredObject(() => MaskedIdentifierDto, 'Who the holder is, masked')
  identifier!: MaskedIdentifierDto;

  @Required(text(3, 3), 'That of the identifier', 'BRA')
  country!: string;

  @Optional(text(1, 255), 'Your own id, when one was given', 'customer-4711')
  'external-id'?: string;

  @RequiredObject(() => RequirementsDto, 'What is done, in progress, and still required')
  requirements!: RequirementsDto;

  @Optional(oneOf(PARTNER_REASONS), 'Of a rejected or expired one', 'document-quality')
  reason?: string;

  @OptionalObject(() => RequestFailureDto, 'Of one whose provisioning failed and is tried again')
  failure?: RequestFailureDto;

  @Optional(instant, 'Until when the information asked for is waited for', SAMPLE.later)
  'information-due-at'?: string;

  @Required(instant, 'When it was made', SAMPLE.time)
  'created-at'!: string;

  @Required(instant, 'When its status changed last', SAMPLE.time)
  'status-updated-at'!: string;
}

export class AccountRequestEnvelopeDto extends EnvelopeOf('account-request', () => AccountRequestDto, 'The request') {}

/** Sandbox: what compliance would decide. */
@Together({
  if: isValue('decision', 'approve'),
  then: sentWithout([], ['reason', 'items']),
  else: { if: isValue('decision', 'reject'), then: sentWithout([], ['items']) },
})
export class DecisionDto {
  @Required(oneOf(['approve', 'reject', 'ask-information']), 'A decided request stays as it is', 'approve')
  decision!: 'approve' | 'reject' | 'ask-information';

  @Optional(
    oneOf(PARTNER_REASONS),
    'Why it is rejected, or information is asked for; compliance when absent',
    'document-quality',
  )
  reason?: (typeof PARTNER_REASONS)[number];

  @Optional(
    listOfWords(1, INFORMATION_ITEMS),
    'What is asked for: parts that the request has, source-of-funds or other; when absent the document, or in reliance mode other',
    ['document'],
  )
  items?: (typeof INFORMATION_ITEMS)[number][];
}
