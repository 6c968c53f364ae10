import { localStaffId, StaffPasswordReplaced, StaffUserRegistered } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import type { RegisterStaff } from './staff-user.decider';
import { staffUser } from './staff-user.decider';

const AT = '2026-03-02T12:00:00.000Z';
const roles = ['compliance-approver'] as const;
const register = (name: string): RegisterStaff => ({ kind: 'register', name, roles, passwordHash: 'h2', at: AT });
const staffId = localStaffId('alice');
const alice = new StaffUserRegistered({ staffId, name: 'alice', roles, passwordHash: 'h1', registeredAt: AT });

describe('a staff member of the sandbox', () => {
  it('is one person in whatever case the name is written, so that it cannot approve its own request', () =>
    expect([localStaffId('Alice'), localStaffId('ALICE')]).toEqual([staffId, staffId]));

  it('is registered, and registered again with another password, only under a lower-case name', () => {
    const { given } = scenario(staffUser);
    given()
      .when(register('alice'))
      .then(new StaffUserRegistered({ ...alice.data, passwordHash: 'h2' }));
    given(alice)
      .when(register('alice'))
      .then(new StaffPasswordReplaced({ staffId, passwordHash: 'h2', replacedAt: AT }));
    for (const past of [[], [alice]]) {
      const refusal = given(...past)
        .when(register('Alice'))
        .refusal();
      expect(refusal).toBeInstanceOf(Refusal);
      expect(refusal).toMatchObject({ code: 'invalid-format' });
    }
  });
});
