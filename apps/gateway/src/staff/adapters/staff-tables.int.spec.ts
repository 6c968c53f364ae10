import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { openPostgresReadModels, Postgres } from '@ponte/postgres';
import type { Sealed } from '@ponte/event-sourcing';
import type { PostgresServer } from '@ponte/testing';
import { describeOnRealEngine, freshId, sayEngine, startPostgres, temporaryFolder } from '@ponte/testing';
import type { StaffMembers } from '../staff-members.port';
import type { StaffSession, StaffSessions } from '../staff-sessions.port';
import { openStaffMembers } from './staff-members';
import { openStaffSessions } from './staff-sessions';

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
