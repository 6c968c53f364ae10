import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '@ponte/contracts';
import type { PostgresServer } from '@ponte/testing';
import { describeOnRealEngine, sayEngine, startPostgres } from '@ponte/testing';
import { masterKeyFrom } from '@ponte/personal-data';
import { openPostgresBacklogs } from './state/backlogs';
import { migratePostgres } from './migrate';
import { openPostgresPersonalData } from './personal-data';
import { Postgres } from './postgres';
import { postgresShadowReadModels } from './read-models/shadow-read-models';
import { openPostgresReadModels } from './read-models/read-models';

const ROLES = readFileSync(join(__dirname, '../../../deploy/postgres/roles.sql'), 'utf8');
const STARTUP_MS = 240_000;

describeOnRealEngine('PostgreSQL with a role for each service', () => {
  let server: PostgresServer;
  const opened: Postgres[] = [];
  const as = async (role: string): Promise<Postgres> => {
    const url = new URL(server.url);
    if (role !== '') url.username = role;
    const schema = role === '' ? 'public' : role;
    const postgres = await Postgres.open({
      url: url.toString(),
      schema,
      logger: { warn: () => undefined, error: () => undefined },
      limits: { connections: 2 },
    });
    opened.push(postgres);
    return postgres;
  };
  const urlOf = (role: string): string => Object.assign(new URL(server.url), { username: role }).toString();

  beforeAll(async () => {
    // Roles belong to a whole server, so a server that was given is not used.
    server = await startPostgres('');
    // An installation runs it a second time before a version that shares more.
    for (let time = 1; time <= 2; time += 1) await (await as('')).query(ROLES);
    for (const service of SERVICES) await migratePostgres(urlOf(`ponte_${service}`), [`ponte_${service}`]);
  }, STARTUP_MS);
  afterAll(async () => {
    for (const postgres of opened) await postgres.close();
    await server?.stop();
    sayEngine('PostgreSQL with a role for each service', server?.name ?? 'nothing');
  });

  test('all services can encrypt and decrypt, whichever of them created the tables of the keys', async () => {
    const masterKey = masterKeyFrom({ PONTE_MASTER_KEY: '7'.repeat(64) });
    const [first, second] = await Promise.all(
      ['ponte_webhooks', 'ponte_gateway'].map(async (role) => openPostgresPersonalData(await as(role), { masterKey })),
    );
    const sealed = await first?.seal('person-1', 'Maria');
    expect(sealed && (await second?.open(sealed))).toBe('Maria');
    await second?.erase('person-1');
  });

  test('all services can report their backlog and read the worst, whichever of them created the table', async () => {
    const [first, second] = await Promise.all(
      ['ponte_webhooks', 'ponte_gateway'].map(async (role) => openPostgresBacklogs(await as(role), role)),
    );
    await first?.report({ reader: 'outbox', behindMs: 12_000 });
    expect(await second?.worst()).toEqual({ reader: 'outbox', behindMs: 12_000 });
  });

  test("no service can read another's tables, and each can create its schema for a rebuild", async () => {
    const [orders, ledger] = [await as('ponte_orders'), await as('ponte_ledger')];
    await expect(ledger.query('SELECT count(*) FROM ponte_orders.checkpoints')).rejects.toThrow('42501');
    const shadow = await postgresShadowReadModels(orders, await openPostgresReadModels(orders))();
    await shadow.close();
  });
});
