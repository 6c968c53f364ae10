import { join } from 'node:path';
import { NO_STREAM } from '@ponte/event-sourcing';
import type { EsdbServer } from '@ponte/testing';
import { anEvent, eventsOf, eventually, freshId, temporaryFolder } from '@ponte/testing';
import { endings, start, open, following, numbers, counted, endsServers } from './faulty-servers.testing';

endsServers();

/** So long that the end of the log is not read again: the subscription itself must detect the fault. */
const NEVER = 600_000;

describe('a subscription continues after its last delivered event when', () => {
  test.each([
    ['the server drops it', async (server: EsdbServer) => server.faults.dropSubscriptions(), NEVER],
    ['its connection is reset', async (server: EsdbServer) => server.faults.reset(), NEVER],
    ['the server restarts', (server: EsdbServer) => server.restart(), NEVER],
    ['it falls silent and stays open', async (server: EsdbServer) => server.faults.stallSubscriptions(), 50],
  ] as const)('%s, without gaps or repetitions', async (_, harm, lookMs) => {
    const folder = temporaryFolder();
    endings.push(async () => folder.remove());
    const server = await start({ file: join(folder.path, 'esdb.log') });
    const store = await open(server.connectionString, { lookMs, missingMs: 50 });
    const category = `kind${freshId()}`;
    const seen = following(store, { categories: [category], batchSize: 7 });
    for (const round of counted(4)) {
      for (const at of counted(10)) {
        const events = anEvent({ at: round * 10 + at });
        await eventually(() => store.append(`${category}-1`, round * 10 + at - 1, events));
      }
      if (round < 3) await harm(server);
    }
    await eventually(() => expect(seen).toHaveLength(40));
    expect(numbers(seen)).toEqual(counted(40));
  });

  test('the server starts after it', async () => {
    const server = await start();
    await server.faults.refuse();
    const store = await open(server.connectionString);
    const category = `kind${freshId()}`;
    const seen = following(store, { categories: [category] });
    await server.faults.heal();
    await eventually(() => store.append(`${category}-1`, NO_STREAM, eventsOf('late', { at: 0 })));
    await eventually(() => expect(seen).toHaveLength(1));
  });
});
