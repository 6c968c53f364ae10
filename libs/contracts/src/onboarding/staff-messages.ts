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
 * Sandbox alone (`role-not-allowed` elsewhere). The same name again replaces the password. `password`:
 * `sealRequest({secret})`.
 */
export const RegisterStaffUser = command<
  { name: string; roles: readonly StaffRole[]; password: Sealed },
  StaffUserRecord
>('register-staff-user', 'name');
/**
 * Sandbox alone. Null when name or password is wrong, which takes as long as when both are right. `staffId`:
 * {@link localStaffId} of the name that was typed, since people type their e-mail address, or their password, into the
 * field of the name.
 */
export const SignInStaff = query<{ staffId: string; password: Sealed }, StaffUserRecord | null>(
  'sign-in-staff',
  'staffId',
);
export const GetStaffUser = query<{ staffId: string }, StaffUserRecord | null>('get-staff-user', 'staffId');
