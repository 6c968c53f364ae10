import type { OperationSpec } from '../openapi/operation';
import type { StaffOperation } from './roles';
import { ROLES_OF } from './roles';

/** An operation that takes a session of staff, for the roles of the table. */
export const staffOperation = (
  id: StaffOperation,
  spec: Omit<OperationSpec, 'id' | 'reach' | 'roles'>,
): OperationSpec => ({ ...spec, id, reach: 'session', roles: ROLES_OF[id] });
