import type { Kysely } from 'kysely';
import type { StaffRole } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { SignInWay, StaffSession, StaffSessions } from '../staff-sessions.port';

interface Row {
  id: string;
  staff_id: string;
  name: string;
  roles: string;
  way: string;
  signed_in_at_ms: number;
  seen_at_ms: number;
  expires_at_ms: number;
}
interface Schema {
  gateway_staff_sessions: Row;
}

const TABLE = 'gateway_staff_sessions';

/** Stores the sessions in the read models' database, SQLite or PostgreSQL, which all gateway replicas share. */
export async function openStaffSessions(readModels: Kysely<unknown>): Promise<StaffSessions> {
  const db = readModels as Kysely<Schema>;
  await db.schema
    .createTable(TABLE)
    .ifNotExists()
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('staff_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('roles', 'text', (column) => column.notNull())
    .addColumn('way', 'text', (column) => column.notNull())
    .addColumn('signed_in_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('seen_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.createIndex(`${TABLE}_by_staff`).ifNotExists().on(TABLE).column('staff_id').execute();
  return {
    async add({ id, staffId, name, roles, way, signedInAtMs, seenAtMs, expiresAtMs }) {
      await db
        .insertInto(TABLE)
        .values({
          id,
          staff_id: staffId,
          name,
          roles: JSON.stringify(roles),
          way,
          signed_in_at_ms: signedInAtMs,
          seen_at_ms: seenAtMs,
          expires_at_ms: expiresAtMs,
        })
        .execute();
    },
    async find(id) {
      const row = await db.selectFrom(TABLE).selectAll().where('id', '=', id).executeTakeFirst();
      return row && sessionOf(row);
    },
    // Never moves back in time, because replicas finish in any order.
    async touch(id, seenAtMs) {
      await db
        .updateTable(TABLE)
        .set({ seen_at_ms: seenAtMs })
        .where('id', '=', id)
        .where('seen_at_ms', '<', seenAtMs)
        .execute();
    },
    async remove(id) {
      await db.deleteFrom(TABLE).where('id', '=', id).execute();
    },
    async removeOf(staffId) {
      const { numDeletedRows } = await db.deleteFrom(TABLE).where('staff_id', '=', staffId).executeTakeFirst();
      return Number(numDeletedRows);
    },
    async sweep(idleSinceMs, nowMs) {
      await db
        .deleteFrom(TABLE)
        .where(({ or, eb }) => or([eb('seen_at_ms', '<', idleSinceMs), eb('expires_at_ms', '<', nowMs)]))
        .execute();
    },
  };
}

/** The PostgreSQL driver returns a bigint as text. */
const sessionOf = (row: Row): StaffSession => ({
  id: row.id,
  staffId: row.staff_id,
  name: row.name as Sealed,
  roles: JSON.parse(row.roles) as StaffRole[],
  way: row.way as SignInWay,
  signedInAtMs: Number(row.signed_in_at_ms),
  seenAtMs: Number(row.seen_at_ms),
  expiresAtMs: Number(row.expires_at_ms),
});
