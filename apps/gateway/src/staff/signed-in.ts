import type { StaffActor } from '@ponte/contracts';
import type { StaffSession } from './staff-sessions.port';

/** The staff member who makes the request, according to the session. */
export interface SignedIn {
  readonly actor: StaffActor;
  readonly session: StaffSession;
  readonly csrfToken: string;
}
