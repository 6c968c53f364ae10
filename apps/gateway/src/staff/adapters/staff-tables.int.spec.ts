import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { openPostgresReadModels, Postgres } from '@ponte/postgres';
import type { Sealed } from '@ponte/event-sourcing';
import type { PostgresServer } from '@ponte/testing';
import { describeOnRealEngine, freshId, sayEngine, startPostgres, temporaryFolder } from '@ponte/testing';
import type { StaffMembers } from '../staff-members.port';
import type { StaffSession, StaffSessions } from '../staff-sessions.port';
import { openStaffMembers } from './sql.staff-members.adapter';
import { openStaffSessions } from './sql.staff-sessions.adapter';

const NOW = 1_790_000_000_000;
const session = (id: string, more: Partial<StaffSession> = {}): StaffSession => ({
  id,
  staffId: 'ana',
  name: 'sealed:v1:staff-ana:AAAA' as Sealed,
  roles: ['auditor', 'operator'],
  way: 'oidc',
  signedInAtMs: NOW,
  seenAtMs: NOW,
  expiresAtMs: NOW + 1_000,
  refreshToken: null,
  confirmedAtMs: NOW,
  askedAtMs: NOW,
  ...more,
});

/** Checks all rules of both ports against one database of read models. */
function describeStaffTables(open: () => Promise<Kysely<unknown>>): void {
  let readModels: Kysely<unknown>;
  let sessions: StaffSessions;
  let members: StaffMembers;
  beforeAll(async () => {
    readModels = await open();
    // Opened twice at once, because replicas start at the same time.
    [sessions, , members] = await Promise.all([
      openStaffSessions(readModels),
      openStaffSessions(readModels),
      openStaffMembers(readModels),
      openStaffMembers(readModels),
    ]);
  });
  afterAll(() => readModels.destroy());

  it('return a session unchanged until it is removed', async () => {
    await sessions.add(session('a'));
    expect(await sessions.find('a')).toEqual(session('a'));
    expect(await sessions.find('b')).toBeUndefined();
    await sessions.remove('a');
    await sessions.remove('a');
    expect(await sessions.find('a')).toBeUndefined();
  });

  it('never move the last use of a session back in time', async () => {
    await sessions.add(session('c'));
    await Promise.all([NOW + 500, NOW + 900, NOW + 100].map((at) => sessions.touch('c', at)));
    expect((await sessions.find('c'))?.seenAtMs).toBe(NOW + 900);
    await sessions.touch('absent', NOW);
    expect(await sessions.removeOf('ana')).toBe(1);
  });

  it('let one of several requests ask the provider, and keep its confirmation', async () => {
    await sessions.add(session('g'));
    const claims = await Promise.all([1, 2, 3].map((later) => sessions.claimConfirmation('g', NOW, NOW + later)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    const refreshToken = 'sealed:v1:staff-ana:BBBB' as Sealed;
    await sessions.keepRefreshToken('g', refreshToken);
    await sessions.confirm('g', NOW + 5);
    const askedAtMs = NOW + claims.indexOf(true) + 1;
    expect(await sessions.find('g')).toEqual(session('g', { refreshToken, confirmedAtMs: NOW + 5, askedAtMs }));
    await sessions.remove('g');
    expect(await sessions.claimConfirmation('g', askedAtMs, NOW + 9)).toBe(false);
  });

  it('add the columns of a later release to the table, even when replicas start at once', async () => {
    const db = readModels as Kysely<Record<string, Record<string, unknown>>>;
    await sessions.add(session('old'));
    for (const column of ['refresh_token', 'confirmed_at_ms', 'asked_at_ms'])
      await db.schema.alterTable('gateway_staff_sessions').dropColumn(column).execute();
    await Promise.all([1, 2, 3].map(() => openStaffSessions(readModels)));
    expect(await sessions.find('old')).toEqual(session('old'));
    expect(await sessions.claimConfirmation('old', NOW, NOW + 1)).toBe(true);
    await sessions.remove('old');
  });

  it('remove all sessions of one staff member and no others', async () => {
    await Promise.all(['d', 'e'].map((id) => sessions.add(session(id))));
    await sessions.add(session('f', { staffId: 'bea' }));
    expect([await sessions.removeOf('ana'), await sessions.removeOf('ana')]).toEqual([2, 0]);
    expect(await sessions.find('f')).toEqual(session('f', { staffId: 'bea' }));
  });

  it('sweep idle and expired sessions', async () => {
    await sessions.add(session('idle', { seenAtMs: NOW - 1, expiresAtMs: NOW + 10 }));
    await sessions.add(session('over', { seenAtMs: NOW + 5, expiresAtMs: NOW + 4 }));
    await sessions.add(session('good', { seenAtMs: NOW, expiresAtMs: NOW + 5 }));
    await sessions.sweep(NOW, NOW + 5);
    expect(await Promise.all(['idle', 'over', 'good'].map(async (id) => (await sessions.find(id))?.id))).toEqual([
      undefined,
      undefined,
      'good',
    ]);
  });

  it('keep members as of their last sign-in and find them by id', async () => {
    const ana = {
      staffId: 'ana',
      name: session('x').name,
      roles: ['auditor'] as const,
      way: 'oidc' as const,
      signedInAtMs: NOW,
    };
    await members.put({ ...ana, roles: ['operator'], signedInAtMs: NOW - 5 });
    await members.put(ana);
    await members.put({ ...ana, staffId: 'bea', signedInAtMs: NOW - 1 });
    expect((await members.list(10)).map(({ staffId }) => staffId)).toEqual(['ana', 'bea']);
    expect(await members.list(1)).toEqual([ana]);
    expect(await members.named(['ana', 'unknown'])).toEqual([ana]);
    expect(await members.named([])).toEqual([]);
  });
}

describe('staff tables on SQLite', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  describeStaffTables(async () => openSqliteReadModels(join(folder.path, 'read-models.db'), 'off'));
});

describeOnRealEngine('staff tables on PostgreSQL', () => {
  let server: PostgresServer;
  let postgres: Postgres;
  afterAll(async () => {
    await postgres?.close();
    await server?.stop();
    sayEngine('staff tables', server?.name ?? 'nothing');
  });
  describeStaffTables(async () => {
    server = await startPostgres();
    postgres = await Postgres.open({
      url: server.url,
      schema: `s${freshId()}`,
      logger: { warn: () => undefined, error: () => undefined },
    });
    return openPostgresReadModels(postgres);
  });
});
