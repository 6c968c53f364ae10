import type { StaffRole, StaffUserEvent, StaffUserRecord, Timestamp } from '@ponte/contracts';
import { localStaffId, STAFF_ROLES, StaffPasswordReplaced, StaffUserRegistered } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { canonicalJson, refuse, refuseAll, violation } from '@ponte/kernel';

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export type StaffUser =
  | { readonly status: 'absent' }
  | { readonly status: 'registered'; readonly record: StaffUserRecord; readonly passwordHash: string };

export interface RegisterStaff {
  readonly kind: 'register';
  readonly name: string;
  readonly roles: readonly StaffRole[];
  readonly passwordHash: string;
  readonly at: Timestamp;
}

/** A member of staff who signs in with a password, in the sandbox alone. */
export const staffUser: Decider<RegisterStaff, StaffUser, StaffUserEvent> = {
  category: 'staffUser',
  initial: { status: 'absent' },
  events: [StaffUserRegistered, StaffPasswordReplaced],
  decide({ name, roles, passwordHash, at }, state) {
    const staffId = localStaffId(name);
    if (state.status === 'registered') {
      if (canonicalJson(state.record.roles) !== canonicalJson(roles))
        refuse('invalid-format', 'a user of this name exists with other roles', 'roles');
      return [new StaffPasswordReplaced({ staffId, passwordHash, replacedAt: at })];
    }
    refuseAll([
      ...(NAME.test(name)
        ? []
        : [violation('invalid-format', 'name', 'small letters, digits, dots, dashes: a name to sign in with')]),
      ...(roles.length > 0 && roles.every((role) => STAFF_ROLES.includes(role))
        ? []
        : [violation('invalid-enum-value', 'roles', `roles are ${STAFF_ROLES.join(', ')}`)]),
    ]);
    return [new StaffUserRegistered({ staffId, name, roles, passwordHash, registeredAt: at })];
  },
  evolve(state, event) {
    switch (event.type) {
      case 'StaffUserRegistered': {
        const { staffId, name, roles, passwordHash } = event.data;
        return { status: 'registered', record: { staffId, name, roles }, passwordHash };
      }
      case 'StaffPasswordReplaced': {
        if (state.status === 'absent') throw new Error('a password was replaced that no one had');
        return { ...state, passwordHash: event.data.passwordHash };
      }
    }
  },
};
