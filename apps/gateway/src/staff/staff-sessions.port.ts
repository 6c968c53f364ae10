import type { StaffRole } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';

/** How someone proved who they are. */
export type SignInWay = 'local' | 'oidc';

export interface StaffSession {
  /** SHA-256 (hex) of what the browser holds, which is stored nowhere. */
  readonly id: string;
  readonly staffId: string;
  /** What they are called, sealed under `staff-<id>`. */
  readonly name: Sealed;
  readonly roles: readonly StaffRole[];
  readonly way: SignInWay;
  /** Epoch milliseconds of the system's clock, as are the others. */
  readonly signedInAtMs: number;
  readonly seenAtMs: number;
  /** The end that no use puts off. */
  readonly expiresAtMs: number;
}

/** Sessions of staff, shared by the replicas of the edge. Losing them signs everybody out and does no other harm. */
export interface StaffSessions {
  add(session: StaffSession): Promise<void>;
  /** Whatever its age: the caller judges that. */
  find(id: string): Promise<StaffSession | undefined>;
  touch(id: string, seenAtMs: number): Promise<void>;
  remove(id: string): Promise<void>;
  /** Ends every session of someone, and tells how many there were. */
  removeOf(staffId: string): Promise<number>;
  /** Forgets what was not seen since the one time, or has expired by the other. */
  sweep(idleSinceMs: number, nowMs: number): Promise<void>;
}

export const STAFF_SESSIONS = Symbol('StaffSessions');
