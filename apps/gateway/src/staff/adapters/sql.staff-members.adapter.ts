import type { Kysely } from 'kysely';
import { CamelCasePlugin } from 'kysely';
import type { StaffRole } from '@ponte/contracts';
import type { StaffMember, StaffMembers } from '../staff-members.port';

interface Schema {
  gateway_staff_members: Omit<StaffMember, 'roles'> & { readonly roles: string };
}

const TABLE = 'gateway_staff_members';

/** Stores the members next to the sessions, in the read models' database. */
export async function openStaffMembers(readModels: Kysely<unknown>): Promise<StaffMembers> {
  const db = readModels.withPlugin(new CamelCasePlugin()) as unknown as Kysely<Schema>;
  await db.schema
    .createTable(TABLE)
    .ifNotExists()
    .addColumn('staffId', 'text', (column) => column.primaryKey().notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('way', 'text', (column) => column.notNull())
    .addColumn('signedInAtMs', 'bigint', (column) => column.notNull())
    .execute();
  return {
    async put(member) {
      const row = { ...member, roles: JSON.stringify(member.roles) };
      await db
        .insertInto(TABLE)
        .values(row)
        .onConflict((conflict) => conflict.column('staffId').doUpdateSet(row))
        .execute();
    },
    async list(limit) {
      const rows = await db
        .selectFrom(TABLE)
        .selectAll()
        .orderBy('signedInAtMs', 'desc')
        .orderBy('staffId')
        .limit(limit)
        .execute();
      return rows.map(memberOf);
    },
    async named(staffIds) {
      if (staffIds.length === 0) return [];
      const rows = await db
        .selectFrom(TABLE)
        .selectAll()
        .where('staffId', 'in', [...staffIds])
        .execute();
      return rows.map(memberOf);
    },
  };
}

const memberOf = (row: Schema[typeof TABLE]): StaffMember => ({
  ...row,
  roles: JSON.parse(row.roles) as StaffRole[],
  signedInAtMs: Number(row.signedInAtMs),
});
