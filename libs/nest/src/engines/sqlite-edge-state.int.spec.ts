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

test('the sweep deletes everything that has expired, in slices between which other work has its turn', async () => {
  const folder = temporaryFolder();
  const edge = openSqliteEdgeState(join(folder.path, 'edge.db'), 'off');
  const scopes = Array.from({ length: 1_007 }, (_, at) => `s${at}`);
  const claim = (scope: string, lockMs: number) => edge.begin({ scope, bodyHash: 'b', nowMs: 1_000, lockMs });
  for (const scope of scopes) {
    await claim(scope, 1);
    await edge.rememberNonce('key', scope, 1_001);
  }
  await claim('kept', 2);
  await edge.rememberNonce('key', 'kept', 1_002);
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  await edge.sweep(1_002);
  clearImmediate(immediate);
  expect(turns).toBeGreaterThan(10);
  expect(await claim('kept', 1)).toEqual({ kind: 'in-progress' });
  expect(await edge.rememberNonce('key', 'kept', 1_002)).toBe(false);
  for (const scope of scopes) expect(await edge.rememberNonce('key', scope, 1_001)).toBe(true);
  await edge.close();
  folder.remove();
});

test('a sweep ends with the edge state, and leaves the rest for the next one', async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, 'edge.db');
  const edge = openSqliteEdgeState(file, 'off');
  for (let at = 0; at < 1_007; at += 1) await edge.rememberNonce('key', `n${at}`, at);
  const sweep = edge.sweep(2_000);
  await edge.close();
  await expect(sweep).resolves.toBeUndefined();
  const next = openSqliteEdgeState(file, 'off');
  expect(await next.rememberNonce('key', 'n0', 0)).toBe(true);
  expect(await next.rememberNonce('key', 'n1006', 1_006)).toBe(false);
  await next.close();
  folder.remove();
});
