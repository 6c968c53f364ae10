import { openSqliteEventStore } from '@ponte/eventstore-sqlite';
import type { OrderRow } from '@ponte/testing';
import {
  describeEdgeState,
  eventually,
  describeLeases,
  describeOnRealEngine,
  describeParkedEvents,
  describePersonalData,
  KmsDouble,
  describeProgress,
  describeProjector,
  describeSnapshots,
  describeReadModelTable,
  ORDER_TABLE,
  describeBacklogs,
  describeCatchUp,
  describeExactSum,
  describeOperatorState,
  describeRebuild,
} from '@ponte/testing';
import { kmsMasterKey } from '@ponte/personal-data';
import { runProjector, createReadModelCheckpoints, createReadModelTable } from '@ponte/read-models';
import { openPostgresEdgeState } from './state/edge-state';
import { openPostgresBacklogs } from './state/backlogs';
import { openPostgresPersonalData } from './personal-data';
import { openPostgresSnapshots } from './state/snapshots';
import { postgresShadowReadModels } from './read-models/shadow-read-models';
import { openPostgresReadModels } from './read-models/read-models';
import { cleanUp, connect, masterKey, postgresUnderTest, schemaOf, state, TIMES } from './postgres-under-test.testing';

describeOnRealEngine('PostgreSQL', () => {
  postgresUnderTest('PostgreSQL contracts');

  describeOperatorState('PostgreSQL', async () => ({ ...(await state(schemaOf())), cleanUp }));

  describeProgress('PostgreSQL', async () => {
    const schema = schemaOf();
    const first = await state(schema);
    return {
      ...first,
      cleanUp,
      reopen: async () => {
        await first.end();
        return state(schema);
      },
    };
  });

  describeSnapshots('PostgreSQL', async () => {
    const schema = schemaOf();
    const open = async () => openPostgresSnapshots(await connect(schema));
    return { snapshots: await open(), reopen: open, cleanUp };
  });

  describe.each([describeRebuild, describeCatchUp, describeExactSum])('%p', (describeReadModels) =>
    describeReadModels('PostgreSQL', async () => {
      const postgres = await connect(schemaOf());
      const readModels = await openPostgresReadModels<unknown>(postgres);
      const openLog = (file: string) => openSqliteEventStore({ file, durability: 'off' });
      return { readModels, shadow: postgresShadowReadModels(postgres, readModels), openLog, cleanUp };
    }),
  );

  describeProgress('Kysely over PostgreSQL read models', async () => {
    const schema = schemaOf();
    const open = async () => {
      const one = await state(schema);
      const checkpoints = createReadModelCheckpoints(await openPostgresReadModels<unknown>(await connect(schema)));
      await checkpoints.prepare();
      return { ...one, checkpoints };
    };
    const first = await open();
    return {
      ...first,
      cleanUp,
      reopen: async () => {
        await first.end();
        return open();
      },
    };
  });

  describeLeases('PostgreSQL', async () => {
    const schema = schemaOf();
    return {
      start: () => state(schema),
      startPaused: () => state(schema, { ...TIMES, renewMs: 1e9 }),
      longMs: TIMES.ttlMs,
      cleanUp,
    };
  });

  describeParkedEvents('PostgreSQL', async () => {
    const schema = schemaOf();
    const first = await state(schema);
    return {
      parkedEvents: first.parkedEvents,
      run: async (statement) => void (await (await connect(schema)).query(statement)),
      cleanUp,
      reopen: async () => {
        await first.end();
        return (await state(schema)).parkedEvents;
      },
    };
  });

  describeProjector('PostgreSQL', async () => ({ ...(await state(schemaOf())), run: runProjector, cleanUp }));

  describeReadModelTable('PostgreSQL', async () => {
    const schema = schemaOf();
    const table = async () =>
      createReadModelTable<OrderRow>({
        db: await openPostgresReadModels<unknown>(await connect(schema)),
        ...ORDER_TABLE,
      });
    return { orders: await table(), reopen: table, cleanUp };
  });

  describeEdgeState('PostgreSQL', async () => {
    const schema = schemaOf();
    return {
      edgeState: await openPostgresEdgeState(await connect(schema)),
      replica: await openPostgresEdgeState(await connect(schema)),
      cleanUp,
    };
  });

  test('only the same request can take over a claim of a gateway process, as soon as its connections have ended', async () => {
    const schema = schemaOf();
    const [dead, other, replica] = [
      await openPostgresEdgeState(await connect(schema), 'gateway-1'),
      await openPostgresEdgeState(await connect(schema), 'gateway-2'),
      await openPostgresEdgeState(await connect(schema)),
    ];
    const claim = { scope: 'a', bodyHash: 'body', nowMs: 1_000, lockMs: 30_000 };
    expect(await dead.begin(claim)).toMatchObject({ kind: 'started' });
    for (const one of [other, replica, dead])
      expect(await one.begin({ ...claim, nowMs: 1_001 })).toEqual({ kind: 'in-progress' });
    // The kernel closes the connections of a killed process in the same way.
    await dead.close();
    expect(await other.begin({ ...claim, nowMs: 1_002, bodyHash: 'another' })).toEqual({ kind: 'other-body' });
    // The server takes a moment to notice the end of a connection; until then both requests get in-progress.
    await eventually(async () => {
      const starts = await Promise.all([other, replica].map((one) => one.begin({ ...claim, nowMs: 1_002 })));
      expect(starts.map(({ kind }) => kind).sort()).toEqual(['in-progress', 'started']);
    });
    await other.close();
    await cleanUp();
  });

  describePersonalData('PostgreSQL', async () => {
    const schema = schemaOf();
    const erasedWithinMs = 200;
    const open = async () => openPostgresPersonalData(await connect(schema), { masterKey, schema, erasedWithinMs });
    const [personalData, other] = await Promise.all([open(), open()]);
    return { personalData, other, erasedWithinMs, reopen: open, cleanUp };
  });

  describePersonalData('PostgreSQL with a master key in KMS', async () => {
    const [schema, kms] = [schemaOf(), await KmsDouble.start()];
    const erasedWithinMs = 200;
    const inKms = kmsMasterKey(kms.addSymmetricKey(), kms.client);
    const open = async () =>
      openPostgresPersonalData(await connect(schema), { masterKey: inKms, schema, erasedWithinMs });
    const [personalData, other] = await Promise.all([open(), open()]);
    const end = () => Promise.all([cleanUp(), kms.stop()]).then(() => undefined);
    return { personalData, other, erasedWithinMs, reopen: open, cleanUp: end };
  });

  describeBacklogs('PostgreSQL', async () => {
    const schema = schemaOf();
    const open = async (process: string) => {
      const postgres = await connect(schema);
      return {
        backlogs: await openPostgresBacklogs(postgres, process, schema),
        later: (ms: number) =>
          postgres.query(`UPDATE ${schema}.backlogs SET reported_at = reported_at - $1 * interval '1 millisecond'`, [
            ms,
          ]),
      };
    };
    const [{ backlogs, later }, { backlogs: replica }] = await Promise.all([open('orders-1'), open('orders-2')]);
    return { backlogs, replica, later, cleanUp };
  });
});
