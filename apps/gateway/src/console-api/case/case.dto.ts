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
import { Nullable, NullableObject, Optional, Required, RequiredObject, RequiredObjects } from '../../validation/fields';
import { fileId } from '../../validation/file-field-types';
import { lines } from '../../validation/person-field-types';
import { AccountRequestDto } from '../../api/onboarding/account-request.dto';
import { SAMPLE } from '../../api/samples';
import { CaseItemDto, CheckDto, HistoryEntryDto, StaffRefDto } from '../review/queue.dto';
import { CaseLivenessDto, DuplicateDto, ScreeningDto } from './findings.dto';
import { CaseHolderDto, CaseRepresentativeDto } from './person.dto';
import { CaseViewDto, PartnerNoteDto, StaffNoteDto } from './records.dto';

export const PURPOSE = 'The reason for viewing the data. It is recorded';

export class OpenCaseDto {
  @Required(oneOf(VIEW_PURPOSES), PURPOSE, 'review')
  purpose!: ViewPurpose;

  @Optional(lines(2_000), "A further note. Stored encrypted with the person's data", 'Ticket 4711')
  note?: string;
}

export class FileQuery {
  @Required(oneOf(VIEW_PURPOSES), PURPOSE, 'review')
  purpose!: ViewPurpose;
}

export class RelianceDto {
  @Required(oneOf(TAX_DOCUMENT_TYPES), 'Type of the identifier', 'cpf')
  'tax-document-type'!: string;

  @Required(text(0, 4_000), "The partner's own reference to its check", 'attestation-4711')
  'kyc-attestation-id'!: string;
}

export class CaseWalletDto {
  @Required(text(42, 42), 'The address in lower case', SAMPLE.wallet)
  address!: string;

  @Required(oneOf(['self', 'exchange']), 'Who holds the key', 'self')
  'custody-type'!: string;

  @Nullable(text(3, 3), 'The country of the custodian', null)
  'custody-country'!: string | null;

  @Nullable(text(0, 4_000), 'The name of the exchange that holds the wallet', null)
  'custodian-name'!: string | null;

  @Nullable(
    text(0, 2_000),
    'The message that the key of the wallet signed; null without a signature. Any message is accepted, so read whether it claims the wallet for this person',
    'I am the holder of this wallet',
  )
  'signed-message'!: string | null;
}

export class CaseFileDto {
  @Required(fileId, 'The id to use with …/files/{file-id}', SAMPLE.fileId)
  id!: string;

  @Required(text(1, 100), 'The role of the document in the case', 'document, front')
  label!: string;

  @Required(oneOf(EVIDENCE_PURPOSES), 'The purpose that was given at the upload', 'document-front')
  purpose!: string;

  @Required(oneOf(EVIDENCE_CONTENT_TYPES), 'Type detected from the content', 'image/jpeg')
  'content-type'!: string;

  @Required(whole, 'The size in bytes', 48_213)
  'size-bytes'!: number;

  @Required(instant, 'When it was uploaded', SAMPLE.time)
  'created-at'!: string;
}

export class CaseDto {
  @RequiredObject(() => CaseItemDto, 'The queue entry, and the version of the case')
  item!: CaseItemDto;

  @RequiredObject(() => AccountRequestDto, 'What the partner sees')
  request!: AccountRequestDto;

  @RequiredObject(() => CaseHolderDto, 'The holder of the account')
  holder!: CaseHolderDto;

  @NullableObject(() => CaseRepresentativeDto, 'Who acts for the holder')
  representative!: CaseRepresentativeDto | null;

  @NullableObject(() => RelianceDto, "In reliance mode: the partner's attestation")
  reliance!: RelianceDto | null;

  @RequiredObjects(() => CaseWalletDto, 'The external wallets of the request')
  'external-wallets'!: CaseWalletDto[];

  @RequiredObjects(() => CaseFileDto, 'The documents and powers of attorney that are still stored')
  files!: CaseFileDto[];

  @RequiredObjects(() => ScreeningDto, 'The results of screening, oldest first')
  screening!: ScreeningDto[];

  @NullableObject(() => CaseLivenessDto, 'The liveness session')
  liveness!: CaseLivenessDto | null;

  @RequiredObjects(() => DuplicateDto, 'Other requests that share data with this one')
  duplicates!: DuplicateDto[];

  @RequiredObjects(() => CheckDto, 'The results of the rules, and the points to check')
  checklist!: CheckDto[];

  @RequiredObjects(() => StaffRefDto, 'The approvers so far')
  approvals!: StaffRefDto[];

  @Nullable(oneOf(INTERNAL_REASONS), 'Why staff rejected it', null)
  'internal-reason'!: string | null;

  @RequiredObjects(() => PartnerNoteDto, 'What the partner wrote')
  notes!: PartnerNoteDto[];

  @RequiredObjects(() => StaffNoteDto, 'Notes of staff')
  'staff-notes'!: StaffNoteDto[];

  @RequiredObjects(() => HistoryEntryDto, 'The history, oldest first')
  history!: HistoryEntryDto[];

  @RequiredObjects(() => CaseViewDto, 'Who has viewed the data, including this time')
  views!: CaseViewDto[];

  @Required(flag, 'Whether only approvers and auditors may view it, for a legal reason', false)
  restricted!: boolean;
}

export class CaseEnvelopeDto extends EnvelopeOf('case', () => CaseDto, 'The case') {}
