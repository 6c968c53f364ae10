import { Operation } from '../openapi/operation';
import type { OperationSpec } from '../openapi/operation-spec';
import type { StaffOperationId } from './roles';
import { ROLES_OF } from './roles';

/** What is said of an operation of staff beside its id, from which its roles follow. */
export type StaffSpec = Omit<OperationSpec, 'id' | 'reach' | 'roles'>;

/** An operation that takes a session of staff, for the roles of the table. */
export const StaffOperation = (id: StaffOperationId, spec: StaffSpec): MethodDecorator =>
  Operation({ ...spec, id, reach: 'session', roles: ROLES_OF[id] });
