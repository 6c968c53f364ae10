import type { AccountRequested, PersonMention } from '@ponte/contracts';

/** A record that contains data of a person, and the person's subject. */
export interface Mentioned {
  readonly subjectId: string;
  readonly mention: PersonMention;
}

/** The people whose data a request contains. */
export function mentionsOfRequest({
  requestId,
  details,
}: Pick<AccountRequested['data'], 'requestId' | 'details'>): Mentioned[] {
  const of = (subjectId: string, role: 'holder' | 'representative'): Mentioned => ({
    subjectId,
    mention: { kind: 'account-request', requestId, role },
  });
  const representative = details.mode === 'kyc' ? details.representative : null;
  return [
    of(details.holder.subjectId, 'holder'),
    ...(representative ? [of(representative.subjectId, 'representative')] : []),
  ];
}

export const mentionOfAccount = ({ accountId, holderId }: { accountId: string; holderId: string }): Mentioned => ({
  subjectId: holderId,
  mention: { kind: 'account', accountId },
});
