import type { StaffRole, StaffUserRecord } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';

const member = (name: string, role: StaffRole): StaffUserRecord => ({
  staffId: derivedId('staff-user', name),
  name,
  roles: [role],
});

/** The staff members, who all have the same password. */
export const STAFF = {
  analyst: member('analyst', 'compliance-analyst'),
  approver: member('approver', 'compliance-approver'),
  operator: member('operator', 'operator'),
  auditor: member('auditor', 'auditor'),
};
export const STAFF_PASSWORD = 'correct horse battery staple';
