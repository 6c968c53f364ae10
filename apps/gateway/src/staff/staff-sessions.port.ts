import type { StaffRole } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';

/** How a staff member signed in. */
export type SignInWay = 'local' | 'oidc';

export interface StaffSession {
  /** SHA-256 (hex) of the browser's secret, which is stored nowhere. */
  readonly id: string;
  readonly staffId: string;
  /** Sealed under `staff-<id>`. */
  readonly name: Sealed;
  readonly roles: readonly StaffRole[];
  readonly way: SignInWay;
  /** Epoch milliseconds of the system clock, as are the other times. */
  readonly signedInAtMs: number;
  readonly seenAtMs: number;
  /** The time at which the session ends even when it is in use. */
  readonly expiresAtMs: number;
  /** The provider's refresh token, sealed under `staff-<id>`; null if it gave no token. */
  readonly refreshToken: Sealed | null;
  /** When the provider last confirmed the person and the roles. */
  readonly confirmedAtMs: number;
  /** When the provider was last asked to confirm them. */
  readonly askedAtMs: number;
}

/** Sessions of staff, shared by the gateway replicas. Losing them signs all staff out and does no other harm. */
export interface StaffSessions {
  add(session: StaffSession): Promise<void>;
  /** Returns a session of any age: the caller checks whether it has expired. */
  find(id: string): Promise<StaffSession | undefined>;
  touch(id: string, seenAtMs: number): Promise<void>;
  /** True for one caller only, who then asks the provider: the first to replace the `askedAtMs` that it read. */
  claimConfirmation(id: string, askedAtMs: number, nowMs: number): Promise<boolean>;
  keepRefreshToken(id: string, refreshToken: Sealed): Promise<void>;
  confirm(id: string, confirmedAtMs: number): Promise<void>;
  remove(id: string): Promise<void>;
  /** Removes all sessions of a staff member and returns their number. */
  removeOf(staffId: string): Promise<number>;
  /** Removes sessions that were last used before `idleSinceMs` or expired before `nowMs`. */
  sweep(idleSinceMs: number, nowMs: number): Promise<void>;
}

export const STAFF_SESSIONS = Symbol('StaffSessions');
