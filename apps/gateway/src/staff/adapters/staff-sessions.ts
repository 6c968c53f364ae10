import type { Kysely } from 'kysely';
import { CamelCasePlugin } from 'kysely';
import type { StaffRole } from '@ponte/contracts';
import type { StaffSession, StaffSessions } from '../staff-sessions.port';

interface Schema {
  gateway_staff_sessions: Omit<StaffSession, 'roles'> & { readonly roles: string };
}

const TABLE = 'gateway_staff_sessions';

/** Stores the sessions in the read models' database, SQLite or PostgreSQL, which all gateway replicas share. */
export async function openStaffSessions(readModels: Kysely<unknown>): Promise<StaffSessions> {
  const db = readModels.withPlugin(new CamelCasePlugin()) as unknown as Kysely<Schema>;
  await db.schema
    .createTable(TABLE)
    .ifNotExists()
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('staffId', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('way', 'text', (column) => column.notNull())
    .addColumn('signedInAtMs', 'bigint', (column) => column.notNull())
    .addColumn('seenAtMs', 'bigint', (column) => column.notNull())
    .addColumn('expiresAtMs', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex(`${TABLE}_by_staff`).ifNotExists().on(TABLE).column('staffId').execute();
  return {
    async add(session) {
      await db
        .insertInto(TABLE)
        .values({ ...session, roles: JSON.stringify(session.roles) })
        .execute();
    },
    async find(id) {
      const row = await db.selectFrom(TABLE).selectAll().where('id', '=', id).executeTakeFirst();
      return row && sessionOf(row);
    },
    // Never moves back in time, because replicas finish in any order.
    async touch(id, seenAtMs) {
      await db.updateTable(TABLE).set({ seenAtMs }).where('id', '=', id).where('seenAtMs', '<', seenAtMs).execute();
    },
    async remove(id) {
      await db.deleteFrom(TABLE).where('id', '=', id).execute();
    },
    async removeOf(staffId) {
      const { numDeletedRows } = await db.deleteFrom(TABLE).where('staffId', '=', staffId).executeTakeFirst();
      return Number(numDeletedRows);
    },
    async sweep(idleSinceMs, nowMs) {
      await db
        .deleteFrom(TABLE)
        .where(({ or, eb }) => or([eb('seenAtMs', '<', idleSinceMs), eb('expiresAtMs', '<', nowMs)]))
        .execute();
    },
  };
}

/** The PostgreSQL driver returns a bigint as text. */
const sessionOf = (row: Schema[typeof TABLE]): StaffSession => ({
  ...row,
  roles: JSON.parse(row.roles) as StaffRole[],
  signedInAtMs: Number(row.signedInAtMs),
  seenAtMs: Number(row.seenAtMs),
  expiresAtMs: Number(row.expiresAtMs),
});
