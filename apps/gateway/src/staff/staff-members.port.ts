import type { StaffSession } from './staff-sessions.port';

/** A staff member as of the last sign-in. */
export type StaffMember = Pick<StaffSession, 'staffId' | 'name' | 'roles' | 'way' | 'signedInAtMs'>;

/** All staff members who have ever signed in, to show names for ids. If lost, it fills again with new sign-ins. */
export interface StaffMembers {
  put(member: StaffMember): Promise<void>;
  /** Sorted by last sign-in, newest first; at most `limit`. */
  list(limit: number): Promise<readonly StaffMember[]>;
  named(staffIds: readonly string[]): Promise<readonly StaffMember[]>;
}

export const STAFF_MEMBERS = Symbol('StaffMembers');
