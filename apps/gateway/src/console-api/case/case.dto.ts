import {
  EVIDENCE_CONTENT_TYPES,
  EVIDENCE_PURPOSES,
  INTERNAL_REASONS,
  TAX_DOCUMENT_TYPES,
  VIEW_PURPOSES,
} from '@ponte/contracts';
import type { ViewPurpose } from '@ponte/contracts';
import { flag, instant, oneOf, text, whole } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import {
  Nullable,
  NullableObject,
  Optional,
  Required,
  RequiredObject,
  RequiredObjects,
} from '../../validation/members';
import { fileId } from '../../validation/file-field-types';
import { lines } from '../../validation/person-field-types';
import { AccountRequestDto } from '../../api/onboarding/account-request.dto';
import { SAMPLE } from '../../api/samples';
import { CheckDto, HistoryEntryDto, QueueItemDto, StaffRefDto } from '../review/queue.dto';
import { CaseLivenessDto, DuplicateDto, ScreeningDto } from './findings.dto';
import { CaseHolderDto, CaseRepresentativeDto } from './person.dto';
import { CaseViewDto, PartnerNoteDto, StaffNoteDto } from './records.dto';

export const PURPOSE = 'Why you look; written down';

export class OpenCaseDto {
  @Required(oneOf(VIEW_PURPOSES), PURPOSE, 'review')
  purpose!: ViewPurpose;

  @Optional(lines(2_000), 'What else is to be written down; kept sealed with the person', 'Ticket 4711')
  note?: string;
}

export class FileQuery {
  @Required(oneOf(VIEW_PURPOSES), PURPOSE, 'review')
  purpose!: ViewPurpose;
}

export class RelianceDto {
  @Required(oneOf(TAX_DOCUMENT_TYPES), 'What the identifier is', 'cpf')
  'tax-document-type'!: string;

  @Required(text(0, 4_000), "The partner's own reference to its check", 'attestation-4711')
  'kyc-attestation-id'!: string;
}

export class CaseWalletDto {
  @Required(text(42, 42), 'Lower-case', SAMPLE.wallet)
  address!: string;

  @Required(oneOf(['self', 'exchange']), 'Who holds the key', 'self')
  'custody-type'!: string;

  @Nullable(text(3, 3), 'Of the custodian', null)
  'custody-country'!: string | null;

  @Nullable(text(0, 4_000), 'Of an exchange', null)
  'custodian-name'!: string | null;

  @Required(flag, 'Whether a signature of its key came with it', false)
  proven!: boolean;
}

export class CaseFileDto {
  @Required(fileId, 'For …/files/{file-id}', SAMPLE.fileId)
  id!: string;

  @Required(text(1, 100), 'What it is in this case', 'document, front')
  label!: string;

  @Required(oneOf(EVIDENCE_PURPOSES), 'What it was uploaded as', 'document-front')
  purpose!: string;

  @Required(oneOf(EVIDENCE_CONTENT_TYPES), 'By its bytes', 'image/jpeg')
  'content-type'!: string;

  @Required(whole, 'Bytes', 48_213)
  'size-bytes'!: number;

  @Required(instant, 'When it was uploaded', SAMPLE.time)
  'created-at'!: string;
}

export class CaseDto {
  @RequiredObject(() => QueueItemDto, "The queue's line")
  item!: QueueItemDto;

  @RequiredObject(() => AccountRequestDto, 'What the partner sees')
  request!: AccountRequestDto;

  @RequiredObject(() => CaseHolderDto, 'Whom the account is for')
  holder!: CaseHolderDto;

  @NullableObject(() => CaseRepresentativeDto, 'Who acts for the holder')
  representative!: CaseRepresentativeDto | null;

  @NullableObject(() => RelianceDto, 'In reliance mode: what the partner vouches with')
  reliance!: RelianceDto | null;

  @RequiredObjects(() => CaseWalletDto, 'External wallets of the request')
  'external-wallets'!: CaseWalletDto[];

  @RequiredObjects(() => CaseFileDto, 'Documents, powers of attorney and papers that still exist')
  files!: CaseFileDto[];

  @RequiredObjects(() => ScreeningDto, 'What the lists said, oldest first')
  screening!: ScreeningDto[];

  @NullableObject(() => CaseLivenessDto, 'The liveness session')
  liveness!: CaseLivenessDto | null;

  @RequiredObjects(() => DuplicateDto, 'Other requests that have something in common with this one')
  duplicates!: DuplicateDto[];

  @RequiredObjects(() => CheckDto, 'The rules, and what is to be looked at')
  checklist!: CheckDto[];

  @RequiredObjects(() => StaffRefDto, 'Who has approved')
  approvals!: StaffRefDto[];

  @Nullable(oneOf(INTERNAL_REASONS), 'Why staff rejected it', null)
  'internal-reason'!: string | null;

  @RequiredObjects(() => PartnerNoteDto, 'What the partner wrote')
  notes!: PartnerNoteDto[];

  @RequiredObjects(() => StaffNoteDto, 'What staff wrote')
  'staff-notes'!: StaffNoteDto[];

  @RequiredObjects(() => HistoryEntryDto, 'What happened, oldest first')
  history!: HistoryEntryDto[];

  @RequiredObjects(() => CaseViewDto, 'Who looked, this time included')
  views!: CaseViewDto[];

  @Required(flag, 'Whether approvers and auditors alone may look, for a legal reason', false)
  restricted!: boolean;
}

export class CaseEnvelopeDto extends EnvelopeOf('case', () => CaseDto, 'The case') {}
