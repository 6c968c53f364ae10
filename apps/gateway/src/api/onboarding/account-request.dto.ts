import type { AccountRequestStatus, RequirementName, ReviewStage } from '@ponte/contracts';
import { accountRequestMachine, INFORMATION_ITEMS, PARTNER_REASONS, reviewStageMachine } from '@ponte/contracts';
import type { RewardTier } from '@ponte/kernel';
import { flag, instant, oneOf, text, uuid } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { Optional, OptionalObject, Required, RequiredObject } from '../../validation/fields';
import { listOfWords } from '../../validation/list-field-types';
import { rewardTier } from '../../validation/person-field-types';
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
  @Required(text(1, 100), 'Masked; `[erased]` if the person was erased', '***.982.247-**')
  value!: string;

  @Required(text(3, 3), 'ISO 3166-1 alpha-3', 'BRA')
  country!: string;
}

export class RequirementsDto {
  @Required(parts, 'Steps that are done', ['personal-data', 'address', 'document'])
  complete!: string[];

  @Required(parts, 'Steps in progress', ['screening', 'review'])
  pending!: string[];

  @Required(
    parts,
    'Information that you must send with POST …/information, or that had not arrived when the request ended',
    [],
  )
  missing!: string[];

  @Required(listOfWords(0, PARTNER_REASONS), 'What was missing or wrong', [])
  issues!: string[];
}

export class RequestFailureDto {
  @Required(text(1, 100), 'Code of the failure', 'chain-unavailable')
  code!: string;

  @Required(text(1, 1000), 'Explanation in English', 'The chain is not responding.')
  message!: string;

  @Required(flag, 'Whether provisioning is retried', true)
  retryable!: boolean;
}

/** An account request as its partner sees it. Documents, liveness and PEP data are never shown. */
export class AccountRequestDto {
  @Required(uuid, 'Id of the request', SAMPLE.requestId)
  id!: string;

  @Required(uuid, 'Id of the requested account; it does not change', SAMPLE.accountId)
  'account-id'!: string;

  @Required(uuid, 'The account that made the request', SAMPLE.parentId)
  'parent-id'!: string;

  @Required(oneOf(['kyc', 'reliance']), 'Who checks the person: Ponte (kyc) or the partner (reliance)', 'kyc')
  mode!: string;

  @Required(oneOf(['individual']), 'Type of the account', 'individual')
  type!: string;

  @Required(oneOf(Object.keys(accountRequestMachine)), 'See GET /api/v1/state-machines', 'pending')
  status!: AccountRequestStatus;

  @Optional(oneOf(Object.keys(reviewStageMachine)), 'Stage of a pending request', 'manual-review')
  'review-stage'?: ReviewStage;

  @Required(rewardTier, 'Reward tier in percent', 90)
  'reward-tier'!: RewardTier;

  @RequiredObject(() => MaskedIdentifierDto, 'Identifier of the holder, masked')
  identifier!: MaskedIdentifierDto;

  @Required(text(3, 3), 'Country of the identifier', 'BRA')
  country!: string;

  @Optional(text(1, 255), 'Your own id, if you sent one', 'customer-4711')
  'external-id'?: string;

  @RequiredObject(() => RequirementsDto, 'Steps that are done, in progress and still required')
  requirements!: RequirementsDto;

  @Optional(oneOf(PARTNER_REASONS), 'Reason of a rejected or expired request', 'document-quality')
  reason?: string;

  @OptionalObject(() => RequestFailureDto, 'Failure of a request whose provisioning failed and is retried')
  failure?: RequestFailureDto;

  @Optional(instant, 'Deadline for the requested information', SAMPLE.later)
  'information-due-at'?: string;

  @Required(instant, 'When it was created', SAMPLE.time)
  'created-at'!: string;

  @Required(instant, 'When its status last changed', SAMPLE.time)
  'status-updated-at'!: string;
}

export class AccountRequestEnvelopeDto extends EnvelopeOf('account-request', () => AccountRequestDto, 'The request') {}

/** Sandbox only: the decision that compliance staff would make. */
@Together({
  if: isValue('decision', 'approve'),
  then: sentWithout([], ['reason', 'items']),
  else: { if: isValue('decision', 'reject'), then: sentWithout([], ['items']) },
})
export class DecisionDto {
  @Required(
    oneOf(['approve', 'reject', 'ask-information']),
    'The decision; an approval or rejection cannot be changed',
    'approve',
  )
  decision!: 'approve' | 'reject' | 'ask-information';

  @Optional(
    oneOf(PARTNER_REASONS),
    'Why the request is rejected or information is requested; compliance if absent',
    'document-quality',
  )
  reason?: (typeof PARTNER_REASONS)[number];

  @Optional(
    listOfWords(1, INFORMATION_ITEMS),
    'The requested information: parts of the request, source-of-funds or other. If absent: the document, or other in reliance mode',
    ['document'],
  )
  items?: (typeof INFORMATION_ITEMS)[number][];
}
