import type { AccountRecord, AccountStanding, AddressMatch } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { pick } from '@ponte/kernel';
import type { NameOf } from '../../staff/names.service';
import { addressMatchDto } from '../address-reviews/address-match.dto';
import type { NoteOpening } from '../sealed-note';
import type { StaffRefDto } from '../review/queue.dto';
import { staffRef } from '../review/queue.mapper';
import type { AccountLineDto, AccountStandingEnvelopeDto } from './freeze.dto';

/** The newest true matches of an account, and their total number. */
export interface AddressMatches {
  readonly matches: readonly AddressMatch[];
  readonly total: number;
}

export const accountLineDto = (account: AccountRecord): AccountLineDto => ({
  id: account.accountId,
  'parent-id': account.parentId,
  alias: account.alias,
  status: account.status,
  'pending-step': account.pendingStep ?? null,
  'pending-since': account.pendingSince ?? null,
});

/** The ids of all staff members in the standing of an account. */
export const staffInStanding = (
  { pending, freezes, history }: AccountStanding,
  found: AddressMatches | null,
): (string | null)[] => [
  ...(found?.matches ?? []).map(({ staffId }) => staffId),
  pending?.requestedBy ?? null,
  ...freezes.flatMap(({ requestedBy, confirmedBy }) => [requestedBy, confirmedBy]),
  ...history.flatMap(({ staff }) => staff),
];

/**
 * Opens the evidence, which onboarding returns only if the view of it is recorded. The reasons of address verdicts are
 * shown if `showsReasons`.
 */
export async function standingDto(
  { account, pending, freezes, history }: AccountStanding,
  found: AddressMatches | null,
  opening: NoteOpening,
  nameOf: NameOf,
  showsReasons: boolean,
): Promise<AccountStandingEnvelopeDto> {
  const shown = async ({ evidence }: { readonly evidence?: Sealed | null }): Promise<{ evidence?: string | null }> =>
    evidence === undefined ? {} : { evidence: evidence && (await opening.personalData.open(evidence)) };
  const refOf = (id: string | null): StaffRefDto | null => (id === null ? null : staffRef(id, nameOf));
  return {
    account: {
      ...accountLineDto(account),
      pending: pending && {
        ...pick(pending, 'request', 'step', 'reason'),
        ...(await shown(pending)),
        'requested-by': staffRef(pending.requestedBy, nameOf),
        'requested-at': pending.requestedAt,
        ...(pending.writeOff && { 'write-off': pending.writeOff.map(({ asset, amount }) => ({ asset, amount })) }),
      },
      freezes: await Promise.all(
        freezes.map(async ({ reason, requestedBy, confirmedBy, frozenAt, ...freeze }) => ({
          reason,
          ...(await shown(freeze)),
          'requested-by': refOf(requestedBy),
          'confirmed-by': refOf(confirmedBy),
          'frozen-at': frozenAt,
        })),
      ),
      history: history.map(({ type, reason, staff, at }) => ({
        type,
        reason,
        staff: staff.map((id) => staffRef(id, nameOf)),
        at,
      })),
      ...(found
        ? {
            'address-matches': await Promise.all(
              found.matches.map((match) => addressMatchDto(match, nameOf, showsReasons ? opening : null)),
            ),
            'address-match-count': found.total,
          }
        : {}),
    },
  };
}
