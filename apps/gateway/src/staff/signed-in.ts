import type { StaffActor } from '@ponte/contracts';
import type { StaffSession } from '../ports/staff-sessions';

/** Whoever of the staff asks, as their session shows. */
export interface SignedIn {
  readonly actor: StaffActor;
  readonly session: StaffSession;
  readonly csrfToken: string;
}
