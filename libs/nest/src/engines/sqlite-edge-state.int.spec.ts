import { join } from 'node:path';
import { describeEdgeState, temporaryFolder } from '@ponte/testing';
import { openSqliteEdgeState } from '@ponte/eventstore-sqlite';

describeEdgeState('SQLite', async () => {
  const folder = temporaryFolder();
  const edgeState = openSqliteEdgeState(join(folder.path, 'edge.db'), 'off');
  return {
    edgeState,
    cleanUp: async () => {
      await edgeState.close();
      folder.remove();
    },
  };
});

test('after a crash and reopening the file, only the same request may take over an open claim', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'edge.db');
  const claim = { scope: 'a', bodyHash: 'body', nowMs: 1_000, lockMs: 30_000 };
  const dead = openSqliteEdgeState(file, 'off');
  const first = await dead.begin(claim);
  await dead.begin({ ...claim, scope: 'b' });
  await dead.close();
  const next = openSqliteEdgeState(file, 'off');
  expect(await next.begin({ ...claim, nowMs: 1_001, bodyHash: 'another' })).toEqual({ kind: 'other-body' });
  const second = await next.begin({ ...claim, nowMs: 1_001 });
  expect(second.kind).toBe('started');
  expect((second as { fence: number }).fence).toBeGreaterThan((first as { fence: number }).fence);
  expect(await next.begin({ ...claim, nowMs: 1_002 })).toEqual({ kind: 'in-progress' });
  await next.close();
  folder.remove();
});
