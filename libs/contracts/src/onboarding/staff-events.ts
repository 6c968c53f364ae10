import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';
import type { StaffRole } from './review-words';

/** Stream `staffUser-<staffId>`: a local sign-in, which exists in the sandbox alone. The names there are made up. */
export class StaffUserRegistered extends event('StaffUserRegistered')<{
  staffId: string; name: string; roles: readonly StaffRole[];
  /** `scrypt:v1:<N>:<salt>:<hash>`, base64url. */
  passwordHash: string;
  registeredAt: Timestamp;
}> {}
export class StaffPasswordReplaced extends event('StaffPasswordReplaced')<{ staffId: string; passwordHash: string; replacedAt: Timestamp }> {}

export type StaffUserFact = StaffUserRegistered | StaffPasswordReplaced;
