import type { JudgedHit, ReviewCase, SealedExternalWallet, ViewEntry } from '@ponte/contracts';
import { pick, toWire } from '@ponte/kernel';
import type { NameOf } from '../../staff/names.service';
import { accountRequestDto } from '../../api/onboarding/onboarding.mapper';
import { caseItemDto, historyEntryDto, staffRef, wireType } from '../review/queue.mapper';
import type { CaseDto, CaseFileDto, CaseWalletDto, RelianceDto } from './case.dto';
import type { CaseLivenessDto, HitDto } from './findings.dto';
import type { Opening } from './person.mapper';
import { holderDto, representativeDto } from './person.mapper';
import type { ViewDto } from './records.dto';

/** The ids of all staff members in a case. */
export const staffIn = ({
  item,
  approvals,
  history,
  views,
  screening,
  staffNotes = [],
}: ReviewCase): (string | null)[] => [
  item.assignedTo,
  ...approvals,
  ...history.map(({ actor }) => actor),
  ...views.map(({ staffId }) => staffId),
  ...staffNotes.map(({ staffId }) => staffId),
  ...screening.flatMap(({ hits }) => hits.map(({ verdict }) => verdict?.staffId ?? null)),
];

/** The only place where the personal data of a request is unsealed. `nowMs`: business time. */
export async function caseDto(found: ReviewCase, data: Opening, nameOf: NameOf, nowMs: number): Promise<CaseDto> {
  const { details, staffNotes = [] } = found;
  const all = <T, R>(list: readonly T[], map: (one: T) => Promise<R>): Promise<R[]> => Promise.all(list.map(map));
  const [request, holder, representative, reliance, wallets, screening, liveness, notes, written, views] =
    await Promise.all([
      accountRequestDto(found.request, data),
      holderDto(data, details),
      details.mode === 'kyc' ? representativeDto(data, details) : null,
      relianceDto(data, details),
      all(found.externalWallets, (one) => walletDto(data, one)),
      all(found.screening, async ({ person, round, hits, recordedAt }) => ({
        person,
        round,
        'recorded-at': recordedAt,
        hits: await all(hits, (hit) => hitDto(data, hit, nameOf)),
      })),
      livenessDto(data, found),
      all(found.notes, async ({ note, at }) => ({ note: await data.open(note), at })),
      all(staffNotes, async ({ type, staffId, note, at }) => ({
        type: wireType(type),
        staff: staffRef(staffId, nameOf),
        note: await data.open(note),
        at,
      })),
      all(found.views, async (view) => ({ ...viewDto(view, nameOf), note: view.note && (await data.open(view.note)) })),
    ]);
  return {
    item: caseItemDto(found.item, nameOf, nowMs),
    request,
    holder,
    representative,
    reliance,
    'external-wallets': wallets,
    files: found.files.map(fileDto),
    screening,
    liveness,
    duplicates: found.duplicates.map(({ kind, requests }) => ({
      kind,
      requests: requests.map((one) => ({
        id: one.requestId,
        partner: one.parentAlias,
        ...toWire(one, 'status', 'samePerson'),
      })),
    })),
    checklist: found.checklist.map((one) => pick(one, 'check', 'title', 'outcome')),
    approvals: found.approvals.map((id) => staffRef(id, nameOf)),
    'internal-reason': found.internalReason,
    notes,
    'staff-notes': written,
    history: found.history.map((entry) => historyEntryDto(entry, nameOf)),
    views,
    restricted: found.restricted,
  };
}

export const viewDto = (view: ViewEntry, nameOf: NameOf): ViewDto => ({
  staff: staffRef(view.staffId, nameOf),
  roles: [...view.roles],
  ...toWire(view, 'purpose', 'what', 'viewedAt'),
});

const fileDto = (file: ReviewCase['files'][number]): CaseFileDto => ({
  id: file.fileId,
  ...toWire(file, 'label', 'purpose', 'contentType', 'sizeBytes', 'createdAt'),
});

const hitDto = async (
  data: Opening,
  { match, verdict: found, ...hit }: JudgedHit,
  nameOf: NameOf,
): Promise<HitDto> => ({
  ...toWire(hit, 'list', 'entryId', 'score'),
  'entry-version': hit.entryVersion ?? null,
  match: await data.open(match),
  verdict: found && {
    ...toWire(found, 'verdict', 'reason'),
    note: found.note && (await data.open(found.note)),
    staff: staffRef(found.staffId, nameOf),
    at: found.judgedAt,
  },
});

const walletDto = async (
  data: Opening,
  { custodianName, signedMessage, ...wallet }: SealedExternalWallet,
): Promise<CaseWalletDto> => ({
  ...toWire(wallet, 'address', 'custodyType', 'custodyCountry'),
  'custodian-name': custodianName && (await data.open(custodianName)),
  'signed-message': signedMessage && (await data.open(signedMessage)),
});

const relianceDto = async (data: Opening, details: ReviewCase['details']): Promise<RelianceDto | null> =>
  details.mode === 'kyc'
    ? null
    : { 'tax-document-type': details.taxDocumentType, 'kyc-attestation-id': await data.open(details.kycAttestationId) };

/** Until the provider has decided, the session of the request is shown as pending. */
async function livenessDto(
  data: Opening,
  { details, liveness, livenessSharedWith = [] }: ReviewCase,
): Promise<CaseLivenessDto | null> {
  if (details.mode === 'reliance') return null;
  return {
    provider: liveness?.provider ?? details.liveness.provider,
    'session-id': await data.open(details.liveness.id),
    outcome: liveness?.outcome ?? 'pending',
    'decided-at': liveness?.decidedAt ?? null,
    'shared-with': livenessSharedWith,
  };
}
