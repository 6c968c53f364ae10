import type { AccountRequestEvent } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import type { OpenRequest } from '../account-request/account-request.state';

/**
 * What an event changes in the case that a reviewer reads; null if it changes nothing that an approval depends on, such
 * as a claim.
 */
export function caseChange(event: AccountRequestEvent): string | null {
  switch (event.type) {
    case 'ScreeningRecorded':
      return 'a screening result was recorded';
    case 'ScreeningRepeated':
      return 'screening found a new hit';
    case 'LivenessRecorded':
      return 'a liveness result was recorded';
    case 'LivenessShared':
      return "another person's request names the liveness session";
    case 'DuplicatesFound':
      return 'another request with the same data was found';
    case 'StoppedAccountsFound':
      return 'another account of a person was frozen or closed by compliance';
    case 'ScreeningHitJudged':
      return 'a verdict on a screening hit was recorded';
    case 'ReviewEscalated':
      return 'the review was escalated';
    case 'ReviewDecided':
      return event.data.decision === 'approve' ? 'an approval was recorded' : 'information was requested';
    case 'InformationProvided':
      return 'the partner sent information';
    default:
      return null;
  }
}

/** The version of the case. It counts the changes, so each change gives it the next number. */
export const caseVersion = ({ changes }: Pick<OpenRequest, 'changes'>): number => changes.length;

/** Refuses a decision of a staff member who has read another version of the case, and says what has changed since. */
export function assertRead(state: Pick<OpenRequest, 'changes'>, version: number): void {
  const current = caseVersion(state);
  if (version === current) return;
  const known = Number.isInteger(version) && version > 0 && version < current;
  refuse(
    'review-changed',
    known
      ? `since you read the case, ${[...new Set(state.changes.slice(version))].join(', ')}: read it again`
      : `the case has version ${current}: read it again`,
    'version',
  );
}
