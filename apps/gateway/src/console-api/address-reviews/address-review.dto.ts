import type { AddressSubjectKind, AddressVerdict, ScreeningOutcome, ViewPurpose } from '@ponte/contracts';
import { ADDRESS_SUBJECTS, VIEW_PURPOSES } from '@ponte/contracts';
import type { AssetId, Chain } from '@ponte/kernel';
import { CHAINS } from '@ponte/kernel';
import { asset, decimal, instant, oneOf, text, uuid } from '../../validation/field-types';
import { textList } from '../../validation/list-field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, Nullable, Optional, Required, RequiredObjects } from '../../validation/fields';
import { lines } from '../../validation/person-field-types';
import { PageQuery } from '../../pagination/page-query';
import { SAMPLE } from '../../api/samples';

const VERDICTS = ['false-positive', 'true-match'];
const OUTCOMES = ['waits', 'clear', 'refused'];

const TICKET = 'Ticket 4711: the entry was removed from the list';

/** A verdict of a staff member. */
class VerdictDto {
  @Required(oneOf(VERDICTS), 'Whether the list entry refers to this address', 'false-positive')
  verdict!: AddressVerdict;
}

export class AddressVerdictRequestDto extends VerdictDto {
  @Required(lines(2_000), "The grounds of the verdict. Stored encrypted with the data of the account's holder", TICKET)
  reason!: string;

  @Required(uuid, 'The version of the review that you have read', SAMPLE.quoteId)
  version!: string;
}

export class AddressHitDto {
  @Required(text(1, 60), 'Name of the list', 'ofac-sdn')
  list!: string;

  @Required(text(1, 60), 'The list entry that contains the address', '36987')
  'entry-id'!: string;

  @Required(textList(50), 'The sanctions programs of the entry', ['CYBER2'])
  programs!: string[];
}

export class AddressVerdictDto extends VerdictDto {
  @Optional(
    lines(2_000),
    'The grounds of the verdict. Absent if the view of it is not recorded. `[erased]` after the data of the holder ' +
      'was erased, `[unavailable]` if it is damaged',
    TICKET,
  )
  reason?: string;

  @Required(text(1, 60), 'Id of the staff member who gave the verdict', SAMPLE.parentId)
  'staff-id'!: string;

  @Required(instant, 'When the verdict was given', SAMPLE.time)
  'reviewed-at'!: string;
}

export class AddressReviewDto {
  @Required(uuid, 'Identifies the hits and the verdicts so far. A verdict names it', SAMPLE.quoteId)
  version!: string;

  @Required(instant, 'Since when it is held', SAMPLE.time)
  'held-at'!: string;

  @RequiredObjects(() => AddressHitDto, 'The list entries that contain the address')
  hits!: AddressHitDto[];

  @RequiredObjects(() => AddressVerdictDto, 'Verdicts so far')
  verdicts!: AddressVerdictDto[];
}

/** A review with the resource that it holds. */
export class QueuedAddressReviewDto extends AddressReviewDto {
  @Required(uuid, 'The id of the review. For a withdrawal, the id of the withdrawal', SAMPLE.withdrawalId)
  id!: string;

  @Required(oneOf(ADDRESS_SUBJECTS), 'The resource that uses the address', 'withdrawal')
  subject!: AddressSubjectKind;

  @Required(uuid, 'The id of the withdrawal, transfer, order or deposit', SAMPLE.withdrawalId)
  'subject-id'!: string;

  @Required(uuid, 'Id of the account', SAMPLE.accountId)
  'account-id'!: string;

  @Required(text(1, 60), 'The address that is on a list', SAMPLE.wallet)
  address!: string;

  @Nullable(oneOf(CHAINS), 'The chain. Null for a wallet, which has the same address on every chain', 'eth-base')
  chain!: string | null;

  @Nullable(
    asset,
    'What is moved. Null for an NFT transfer or a wallet, and for reviews from before it was recorded',
    'eth-base/brlv',
  )
  asset!: AssetId | null;

  @Nullable(decimal, 'How much of it is moved', '100.00')
  amount!: string | null;

  @Required(oneOf(OUTCOMES), 'What the movement may do', 'waits')
  outcome!: ScreeningOutcome;
}

export class AddressReviewEnvelopeDto extends EnvelopeOf(
  'address-review',
  () => QueuedAddressReviewDto,
  'The review',
) {}

/** With a purpose, the reasons of the verdicts are shown. */
export class AddressReviewQuery {
  @Optional(
    oneOf(VIEW_PURPOSES),
    'Why you view the reasons of the verdicts. They are then shown, and the view is recorded',
    'review',
  )
  purpose?: ViewPurpose;
}

/** With `account-id`, `verdict` or a paging parameter, the list also contains decided reviews. */
export class AddressReviewsQuery extends PageQuery {
  @Optional(uuid, 'Only those of this account, decided or not', SAMPLE.accountId)
  'account-id'?: string;

  @Optional(oneOf([...VERDICTS, 'none']), 'Only reviews with this verdict; `none`: those that wait', 'true-match')
  verdict?: AddressVerdict | 'none';

  @Optional(oneOf(ADDRESS_SUBJECTS), 'Only reviews of this kind of resource', 'deposit')
  subject?: AddressSubjectKind;

  @Optional(oneOf(CHAINS), 'Only reviews on this chain', 'eth-base')
  chain?: Chain;

  @Optional(asset, 'Only reviews of this asset', 'eth-base/brlv')
  asset?: AssetId;
}

export class AddressReviewsDto extends ListOf(
  'address-reviews',
  () => QueuedAddressReviewDto,
  'At most 200 waiting reviews, longest wait first. With `account-id`, `verdict` or a paging parameter: newest first',
) {}

export const ADDRESS_VERDICT_EXAMPLE = exampleOf(AddressVerdictRequestDto);
export const ADDRESS_REVIEW_EXAMPLE: QueuedAddressReviewDto = {
  id: SAMPLE.withdrawalId,
  subject: 'withdrawal',
  'subject-id': SAMPLE.withdrawalId,
  'account-id': SAMPLE.accountId,
  address: SAMPLE.wallet,
  chain: 'eth-base',
  asset: 'eth-base/brlv',
  amount: '100.00',
  outcome: 'waits',
  version: SAMPLE.quoteId,
  'held-at': SAMPLE.time,
  hits: [exampleOf(AddressHitDto)],
  verdicts: [],
};
