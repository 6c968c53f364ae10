import { randomBytes } from 'node:crypto';
import type { StaffRole } from '@ponte/contracts';
import { GetStaffUser, localStaffId, RegisterStaffUser, sealRequest } from '@ponte/contracts';
import type { Engines } from '@ponte/nest';
import { systemContext } from '@ponte/event-sourcing';

/** A sign-in of the sandbox, as written to `sandbox.json`. */
export interface SandboxStaff {
  readonly name: string;
  readonly role: StaffRole;
  readonly password: string;
}

/** Two approvers, because some requests need four eyes. */
const STAFF: readonly Omit<SandboxStaff, 'password'>[] = [
  { name: 'analyst', role: 'compliance-analyst' },
  { name: 'approver-1', role: 'compliance-approver' },
  { name: 'approver-2', role: 'compliance-approver' },
  { name: 'operator', role: 'operator' },
  { name: 'auditor', role: 'auditor' },
];
const PASSWORD_BYTES = 12;

/** Registers the staff. A lost password is replaced, because only its hash is stored. */
export function seedStaff(
  { bus, ids, personalData }: Pick<Engines, 'bus' | 'ids' | 'personalData'>,
  known: readonly SandboxStaff[],
  actor: string,
): Promise<SandboxStaff[]> {
  return Promise.all(
    STAFF.map(async ({ name, role }) => {
      const kept = known.find((one) => one.name === name)?.password;
      if (
        kept !== undefined &&
        (await bus.request(GetStaffUser, { staffId: localStaffId(name) }, systemContext(ids, actor)))
      )
        return { name, role, password: kept };
      const password = kept ?? randomBytes(PASSWORD_BYTES).toString('base64url');
      await bus.request(
        RegisterStaffUser,
        { name, roles: [role], password: await sealRequest(personalData, { secret: password }) },
        systemContext(ids, actor),
      );
      return { name, role, password };
    }),
  );
}
