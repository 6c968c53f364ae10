import type { StaffRole } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { SignInWay } from './staff-sessions.port';

/** Someone of the staff as they were when they signed in last. */
export interface StaffMember {
  readonly staffId: string;
  /** Sealed under `staff-<id>`. */
  readonly name: Sealed;
  readonly roles: readonly StaffRole[];
  readonly way: SignInWay;
  readonly signedInAtMs: number;
}

/** Everybody who ever signed in, so that an id in a history has a name. It fills itself again. */
export interface StaffMembers {
  put(member: StaffMember): Promise<void>;
  /** By their last sign-in, newest first; at most `limit`. */
  list(limit: number): Promise<readonly StaffMember[]>;
  named(staffIds: readonly string[]): Promise<readonly StaffMember[]>;
}

export const STAFF_MEMBERS = Symbol('StaffMembers');
