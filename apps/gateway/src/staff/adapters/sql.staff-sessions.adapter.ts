import type { Kysely } from 'kysely';
import { CamelCasePlugin } from 'kysely';
import type { StaffRole } from '@ponte/contracts';
import { createTable } from '@ponte/read-models';
import type { StaffSession, StaffSessions } from '../staff-sessions.port';

interface Schema {
  gateway_staff_sessions: Omit<StaffSession, 'roles' | Later> & { readonly roles: string } & Pick<Nullable, Later>;
}

/** Columns of a later release: null in the rows of sessions that began before it. */
type Later = 'refreshToken' | 'confirmedAtMs' | 'askedAtMs';
type Nullable = { readonly [Name in keyof StaffSession]: StaffSession[Name] | null };

const TABLE = 'gateway_staff_sessions';

/** Stores the sessions in the read models' database, SQLite or PostgreSQL, which all gateway replicas share. */
export async function openStaffSessions(readModels: Kysely<unknown>): Promise<StaffSessions> {
  const db = readModels.withPlugin(new CamelCasePlugin()) as unknown as Kysely<Schema>;
  await createTable(readModels, {
    table: TABLE,
    columns: {
      id: 'text',
      staff_id: 'text',
      name: 'text',
      roles: 'json',
      way: 'text',
      signed_in_at_ms: 'integer',
      seen_at_ms: 'integer',
      expires_at_ms: 'integer',
      refresh_token: 'text?',
      confirmed_at_ms: 'integer?',
      asked_at_ms: 'integer?',
    },
    key: ['id'],
    indices: [['staff_id']],
  });
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
    async claimConfirmation(id, askedAtMs, nowMs) {
      const { numUpdatedRows } = await db
        .updateTable(TABLE)
        .set({ askedAtMs: nowMs })
        .where('id', '=', id)
        .where(({ fn }) => fn.coalesce('askedAtMs', 'signedInAtMs'), '=', askedAtMs)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async keepRefreshToken(id, refreshToken) {
      await db.updateTable(TABLE).set({ refreshToken }).where('id', '=', id).execute();
    },
    async confirm(id, confirmedAtMs) {
      await db.updateTable(TABLE).set({ confirmedAtMs }).where('id', '=', id).execute();
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
  confirmedAtMs: Number(row.confirmedAtMs ?? row.signedInAtMs),
  askedAtMs: Number(row.askedAtMs ?? row.signedInAtMs),
});
