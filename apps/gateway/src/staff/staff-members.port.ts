import type { StaffRole } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { SignInWay } from './staff-sessions.port';

/** A staff member as of the last sign-in. */
export interface StaffMember {
  readonly staffId: string;
  /** Sealed under `staff-<id>`. */
  readonly name: Sealed;
  readonly roles: readonly StaffRole[];
  readonly way: SignInWay;
  readonly signedInAtMs: number;
}

/** All staff members who have ever signed in, to show names for ids. If lost, it fills again with new sign-ins. */
export interface StaffMembers {
  put(member: StaffMember): Promise<void>;
  /** Sorted by last sign-in, newest first; at most `limit`. */
  list(limit: number): Promise<readonly StaffMember[]>;
  named(staffIds: readonly string[]): Promise<readonly StaffMember[]>;
}

export const STAFF_MEMBERS = Symbol('StaffMembers');
