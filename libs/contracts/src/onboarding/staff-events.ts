import { event } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Timestamp } from '../shared';
import type { StaffRole } from './review/review-words';

/**
 * The id for a sign-in name, whether or not such a staff member exists. Names that differ in case are one person, who
 * must not count twice where four eyes are required.
 */
export const localStaffId = (name: string): string => derivedId('staff-user', name.toLowerCase());

/** Stream `staffUser-<staffId>`: a local sign-in of a fictitious staff member. Sandbox only. */
export class StaffUserRegistered extends event('StaffUserRegistered')<{
  staffId: string;
  name: string;
  roles: readonly StaffRole[];
  /** `scrypt:v1:<N>:<salt>:<hash>`, with salt and hash in base64url. */
  passwordHash: string;
  registeredAt: Timestamp;
}> {}
export class StaffPasswordReplaced extends event('StaffPasswordReplaced')<{
  staffId: string;
  passwordHash: string;
  replacedAt: Timestamp;
}> {}

export type StaffUserEvent = StaffUserRegistered | StaffPasswordReplaced;
