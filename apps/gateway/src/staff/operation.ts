import { Operation } from '../openapi/operation';
import type { OperationSpec } from '../openapi/operation-spec';
import type { StaffOperationId } from './roles';
import { ROLES_OF } from './roles';

/** The specification of a staff operation without its id, which determines its roles. */
export type StaffSpec = Omit<OperationSpec, 'id' | 'reach' | 'roles'>;

/** Declares an operation that requires a staff session with one of the roles in {@link ROLES_OF}. */
export const StaffOperation = (id: StaffOperationId, spec: StaffSpec): MethodDecorator =>
  Operation({ ...spec, id, reach: 'session', roles: ROLES_OF[id] });
