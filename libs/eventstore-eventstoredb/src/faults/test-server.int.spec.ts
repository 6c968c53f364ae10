import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WrongExpectedRevision } from '@ponte/event-sourcing';
import { anEvent, startEsdbServer, temporaryFolder } from '@ponte/testing';
import { endings, start, open, counted, endsServers } from './faulty-servers.testing';

endsServers();

describe('the test server, used through other functions of the client', () => {
  test('supports batch append, both directions, positions with gaps, and a subscription to one stream', async () => {
    const server = await start();
    const { BACKWARDS, END, EventStoreDBClient, jsonEvent, STREAM_EXISTS } = await import('@eventstore/db-client');
    const client = EventStoreDBClient.connectionString(server.connectionString);
    endings.push(() => client.dispose());
    const events = counted(3).map((at) => jsonEvent({ type: 'Counted', data: { at } }));
    const first = await client.appendToStream('batch-1', events, { expectedRevision: 'no_stream' });
    expect(first).toMatchObject({ success: true, nextExpectedRevision: 2n });
    expect(await client.appendToStream('batch-1', events, { expectedRevision: 'no_stream' })).toEqual(first);
    const conflict = client.appendToStream('batch-1', events.slice(0, 2), { expectedRevision: 1n });
    await expect(conflict).rejects.toMatchObject({
      type: 'wrong-expected-version',
      expectedVersion: 1n,
      actualVersion: 2n,
    });
    await expect(client.appendToStream('batch-2', events, { expectedRevision: STREAM_EXISTS })).rejects.toMatchObject({
      type: 'wrong-expected-version',
    });
    expect(server.calls).toMatchObject({ append: 0 });
    expect(server.calls.batchAppend).toBeGreaterThan(0);

    const revisions: bigint[] = [];
    const positions: bigint[] = [];
    for await (const { event } of client.readStream('batch-1', {
      direction: BACKWARDS,
      fromRevision: END,
      maxCount: 2,
    }))
      revisions.push(event?.revision ?? -1n);
    for await (const { event } of client.readAll({ direction: BACKWARDS, fromPosition: END }))
      positions.push(event?.position?.commit ?? -1n);
    expect(revisions).toEqual([2n, 1n]);
    expect(positions.map((position, at) => position - (positions[at + 1] ?? 0n)).every((gap) => gap > 1n)).toBe(true);

    const subscription = client.subscribeToStream('batch-1', { fromRevision: 0n });
    const brought: unknown[] = [];
    for await (const { event } of subscription) {
      brought.push(event?.data);
      if (brought.length === 2) break;
    }
    await subscription.unsubscribe();
    expect(brought).toEqual([{ at: 1 }, { at: 2 }]);
  });

  test('refuses to open a log that is damaged before its end', async () => {
    const folder = temporaryFolder();
    endings.push(async () => folder.remove());
    const file = join(folder.path, 'esdb.log');
    const server = await start({ file });
    const store = await open(server.connectionString);
    for (const at of counted(2)) await store.append('damaged-1', at - 1, anEvent({ at }));
    const content = readFileSync(file);
    content.writeUInt8((content[20] ?? 0) ^ 0xff, 20);
    writeFileSync(file, content);
    await expect(startEsdbServer({ file })).rejects.toThrow(/damaged/);
  });

  test('distinguishes conflicts from failures', async () => {
    const server = await start();
    const store = await open(server.connectionString);
    await expect(store.append('conflict-1', 3, anEvent())).rejects.toThrow(WrongExpectedRevision);
  });
});
