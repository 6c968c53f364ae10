import type { Sealed } from '@ponte/event-sourcing';
import { requestsOf } from '@ponte/event-sourcing';
import type { StaffRole } from './review/review-words';

const { command, query } = requestsOf('onboarding');

export interface StaffUserRecord {
  readonly staffId: string;
  readonly name: string;
  readonly roles: readonly StaffRole[];
}

/**
 * Sandbox only (`role-not-allowed` elsewhere). Replaces the password of an existing name. `password`:
 * `sealRequest({secret})`.
 */
export const RegisterStaffUser = command<
  { name: string; roles: readonly StaffRole[]; password: Sealed },
  StaffUserRecord
>('register-staff-user', 'name');
/**
 * Sandbox only. Null when name or password is wrong, which takes as long as when both are right. `staffId`: {@link
 * localStaffId} of the entered name, because people sometimes enter their e-mail address or password as the name.
 */
export const SignInStaff = query<{ staffId: string; password: Sealed }, StaffUserRecord | null>(
  'sign-in-staff',
  'staffId',
);
export const GetStaffUser = query<{ staffId: string }, StaffUserRecord | null>('get-staff-user', 'staffId');
