import { join } from 'node:path';
import { Unavailable } from '@ponte/kernel';
import type { PostgresServer, SmallDisk } from '@ponte/testing';
import { describeOnRealEngine, eventually, freshId, openSmallDisk, sayEngine, startKeptPostgres } from '@ponte/testing';
import { Postgres } from './postgres';
import { cleanUp, kept, logger, NOW, schemaOf } from './postgres-under-test.testing';
import { openPostgresEdgeState } from './state/edge-state';

const DISK_BYTES = 256 * 1_024 * 1_024;
const STARTUP_MS = 240_000;
const NO_DISK = 'nothing: mounting a disk is not permitted';

describeOnRealEngine('PostgreSQL, on a full disk', () => {
  let disk: SmallDisk | undefined;
  let server: PostgresServer | undefined;
  beforeAll(async () => {
    disk = openSmallDisk(DISK_BYTES);
    server = disk && (await startKeptPostgres(join(disk.path, 'data')));
  }, STARTUP_MS);
  afterEach(cleanUp);
  afterAll(async () => {
    await server?.stop();
    disk?.remove();
    sayEngine('PostgreSQL on a full disk', server?.name ?? NO_DISK);
  });

  test('writes are refused as unavailable; with space they continue, and what was acknowledged is there', async () => {
    if (!disk || !server) return;
    const postgres = kept(
      await Postgres.open({ url: server.url, schema: schemaOf(), logger, limits: { patienceMs: 500 } }),
    );
    const edge = await openPostgresEdgeState(postgres);
    const body = JSON.stringify({ long: 'x'.repeat(100_000) });
    const acknowledged: string[] = [];
    const write = async (): Promise<void> => {
      const scope = freshId();
      const start = await edge.begin({ scope, bodyHash: 'body', nowMs: NOW, lockMs: 30_000 });
      if (start.kind !== 'started') throw new Error(start.kind);
      await edge.finish(scope, start.fence, { status: 200, body }, NOW + 1_000_000);
      acknowledged.push(scope);
    };
    await write();
    disk.fill();
    await expect(
      (async () => {
        for (;;) await write();
      })(),
    ).rejects.toThrow(Unavailable);
    await expect(write()).rejects.toThrow(Unavailable);
    disk.free();
    await eventually(write);
    for (const scope of acknowledged)
      expect(await edge.begin({ scope, bodyHash: 'body', nowMs: NOW, lockMs: 30_000 })).toMatchObject({
        kind: 'done',
        status: 200,
      });
  }, 120_000);
});
