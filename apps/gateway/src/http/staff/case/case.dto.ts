import { EVIDENCE_CONTENT_TYPES, EVIDENCE_PURPOSES, INTERNAL_REASONS, STAFF_ROLES, TAX_DOCUMENT_TYPES, VIEW_PURPOSES } from '@ponte/contracts';
import type { ViewPurpose } from '@ponte/contracts';
import { flag, instant, oneOf, text, whole } from '../../../shape/kinds';
import { Nullable, NullableObject, Optional, Required, RequiredObject, RequiredObjects } from '../../../shape/members';
import { figure, fileId, lines, listOfWords, uuids } from '../../../shape/person-kinds';
import { AccountRequestDto } from '../../onboarding/account-request.dto';
import { SAMPLE } from '../../samples';
import { HistoryEntryDto, QueueItemDto, StaffRefDto } from '../review/queue.dto';
import { CaseHolderDto, CaseRepresentativeDto } from './person.dto';

const OUTCOMES = ['passed', 'attention', 'pending', 'not-applicable'];
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

export class HitDto {
  @Required(text(1, 200), 'Which list', 'un-consolidated')
  list!: string;

  @Required(text(1, 200), 'Which entry of it', 'QDi.001')
  'entry-id'!: string;

  @Required(figure(0), '0 to 100', 93)
  score!: number;

  @Required(text(0, 20_000), 'What was compared', 'maria souza ~ maria de souza, born 1990')
  match!: string;
}

export class ScreeningDto {
  @Required(oneOf(['holder', 'representative']), 'Who was looked for', 'holder')
  person!: string;

  @Required(whole, 'From 1; information that came opens the next', 1)
  round!: number;

  @Required(instant, 'When', SAMPLE.time)
  'recorded-at'!: string;

  @RequiredObjects(() => HitDto, 'Entries that may be the person')
  hits!: HitDto[];
}

export class CaseLivenessDto {
  @Required(text(1, 200), 'Who ran the session', 'provider-1')
  provider!: string;

  @Required(text(0, 4_000), 'The session there', 'session-81f3')
  'session-id'!: string;

  @Required(oneOf(['passed', 'failed', 'pending']), "The provider's word", 'passed')
  outcome!: string;

  @Nullable(instant, 'When the provider decided', SAMPLE.time)
  'decided-at'!: string | null;

  @Required(uuids(20), "Requests of other people that name the session as well, at most 20: whose face was seen is open", [])
  'shared-with'!: readonly string[];
}

export class CheckDto {
  @Required(text(1, 60), 'rule-1 to rule-12, screening, liveness, four-eyes', 'rule-4')
  check!: string;

  @Required(text(1, 300), 'For people', 'The holder is 18 or older')
  title!: string;

  @Required(oneOf(OUTCOMES), 'How it came out', 'passed')
  outcome!: string;
}

export class PartnerNoteDto {
  @Required(text(0, 8_000), 'What the partner wrote with its information', 'A new photograph')
  note!: string;

  @Required(instant, 'When', SAMPLE.time)
  at!: string;
}

export class StaffNoteDto {
  @Required(text(1, 60), 'With what it was written', 'review-escalated')
  type!: string;

  @RequiredObject(() => StaffRefDto, 'By whom')
  staff!: StaffRefDto;

  @Required(text(0, 8_000), 'What they wrote', 'The name is close to an entry of the list')
  note!: string;

  @Required(instant, 'When', SAMPLE.time)
  at!: string;
}

/** Somebody looked at the person's data. */
export class ViewDto {
  @RequiredObject(() => StaffRefDto, 'Who')
  staff!: StaffRefDto;

  @Required(listOfWords(0, STAFF_ROLES), 'Their roles then', ['compliance-analyst'])
  roles!: string[];

  @Required(oneOf(VIEW_PURPOSES), 'Why', 'review')
  purpose!: string;

  @Required(oneOf(['case', 'document', 'privacy-report']), 'What they saw', 'case')
  what!: string;

  @Required(instant, 'When', SAMPLE.time)
  'viewed-at'!: string;
}

/** A look at this case. */
export class CaseViewDto extends ViewDto {
  @Nullable(text(0, 8_000), 'What the viewer added to the reason, for colleagues; `[erased]` with the person', 'asked on the telephone')
  note!: string | null;
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

export class CaseEnvelopeDto {
  @RequiredObject(() => CaseDto, 'The case')
  case!: CaseDto;
}
