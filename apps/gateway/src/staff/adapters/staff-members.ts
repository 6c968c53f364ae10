import type { Kysely } from 'kysely';
import type { StaffRole } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { StaffMember, StaffMembers } from '../staff-members.port';
import type { SignInWay } from '../staff-sessions.port';

interface Row {
  staff_id: string;
  name: string;
  roles: string;
  way: string;
  signed_in_at_ms: number;
}
interface Schema {
  gateway_staff_members: Row;
}

const TABLE = 'gateway_staff_members';

/** Stores the members next to the sessions, in the read models' database. */
export async function openStaffMembers(readModels: Kysely<unknown>): Promise<StaffMembers> {
  const db = readModels as Kysely<Schema>;
  await db.schema
    .createTable(TABLE)
    .ifNotExists()
    .addColumn('staff_id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('way', 'text', (column) => column.notNull())
    .addColumn('signed_in_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  return {
    async put({ staffId, name, roles, way, signedInAtMs }) {
      const values = { name, roles: JSON.stringify(roles), way, signed_in_at_ms: signedInAtMs };
      await db
        .insertInto(TABLE)
        .values({ staff_id: staffId, ...values })
        .onConflict((conflict) => conflict.column('staff_id').doUpdateSet(values))
        .execute();
    },
    async list(limit) {
      const rows = await db
        .selectFrom(TABLE)
        .selectAll()
        .orderBy('signed_in_at_ms', 'desc')
        .orderBy('staff_id')
        .limit(limit)
        .execute();
      return rows.map(memberOf);
    },
    async named(staffIds) {
      if (staffIds.length === 0) return [];
      const rows = await db
        .selectFrom(TABLE)
        .selectAll()
        .where('staff_id', 'in', [...staffIds])
        .execute();
      return rows.map(memberOf);
    },
  };
}

const memberOf = (row: Row): StaffMember => ({
  staffId: row.staff_id,
  name: row.name as Sealed,
  roles: JSON.parse(row.roles) as StaffRole[],
  way: row.way as SignInWay,
  signedInAtMs: Number(row.signed_in_at_ms),
});
