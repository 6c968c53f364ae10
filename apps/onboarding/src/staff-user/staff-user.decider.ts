import type { StaffRole, StaffUserEvent, StaffUserRecord, Timestamp } from '@ponte/contracts';
import { localStaffId, STAFF_ROLES, StaffPasswordReplaced, StaffUserRegistered } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { canonicalJson, refuse } from '@ponte/kernel';

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;
const NAME_FORM = 'must be 1 to 63 lower-case letters, digits, dots, dashes or underscores';

type StaffUser =
  | { readonly status: 'absent' }
  | { readonly status: 'registered'; readonly record: StaffUserRecord; readonly passwordHash: string };

export interface RegisterStaff {
  readonly kind: 'register';
  readonly name: string;
  readonly roles: readonly StaffRole[];
  readonly passwordHash: string;
  readonly at: Timestamp;
}

/** A staff member who signs in with a password. Sandbox only. */
export const staffUser: Decider<RegisterStaff, StaffUser, StaffUserEvent> = {
  category: 'staffUser',
  initial: { status: 'absent' },
  events: [StaffUserRegistered, StaffPasswordReplaced],
  decide({ name, roles, passwordHash, at }, state) {
    const staffId = localStaffId(name);
    if (!NAME.test(name)) refuse('invalid-format', NAME_FORM, 'name');
    if (state.status === 'registered') {
      if (canonicalJson(state.record.roles) !== canonicalJson(roles))
        refuse('invalid-format', 'a user with this name exists with different roles', 'roles');
      return [new StaffPasswordReplaced({ staffId, passwordHash, replacedAt: at })];
    }
    if (roles.length === 0 || !roles.every((role) => STAFF_ROLES.includes(role)))
      refuse('invalid-enum-value', `must be one or more of ${STAFF_ROLES.join(', ')}`, 'roles');
    return [new StaffUserRegistered({ staffId, name, roles, passwordHash, registeredAt: at })];
  },
  evolve(state, event) {
    switch (event.type) {
      case 'StaffUserRegistered': {
        const { staffId, name, roles, passwordHash } = event.data;
        return { status: 'registered', record: { staffId, name, roles }, passwordHash };
      }
      case 'StaffPasswordReplaced': {
        if (state.status === 'absent')
          throw new Error('the stream of a staff user is damaged: a password was replaced before the registration');
        return { ...state, passwordHash: event.data.passwordHash };
      }
    }
  },
};
