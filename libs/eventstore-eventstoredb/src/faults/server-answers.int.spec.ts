import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreUnavailable, NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventsOf, eventually, freshId, selfSigned, temporaryFolder } from '@ponte/testing';
import { openEventStoreDb } from '../open';
import { silent, endings, start, open, following, endsServers } from './faulty-servers.testing';

endsServers();

describe('whatever the server responds,', () => {
  test('a failed append throws, whatever the connection string says', async () => {
    const server = await start();
    const store = await open(`${server.connectionString}&throwOnAppendFailure=false`);
    const stream = `strict-${freshId()}`;
    await store.append(stream, NO_STREAM, eventsOf(freshId(), { at: 0 }, { at: 1 }));
    await expect(store.append(stream, 0, anEvent())).rejects.toMatchObject({
      name: 'WrongExpectedRevision',
      expected: 0,
      actual: 1,
    });
  });

  test('an invalid expected revision is refused before anything is sent, and is never treated as "any"', async () => {
    const server = await start();
    const store = await open(server.connectionString);
    for (const none of [-2, -4, 0.5, Number.NaN])
      await expect(store.append('none-1', none, anEvent())).rejects.toThrow(RangeError);
    expect(server.calls.append).toBe(0);
  });

  test('an append larger than the server accepts is a caller error', async () => {
    const server = await start();
    const store = await open(server.connectionString);
    await expect(store.append('large-1', NO_STREAM, anEvent({ text: 'x'.repeat(2_000_000) }))).rejects.toThrow(
      RangeError,
    );
    expect(await store.read('large-1')).toEqual([]);
  });

  test('an invalid connection string is refused without being quoted', async () => {
    const opening = openEventStoreDb({ connectionString: 'http://admin:hunter2@store', logger: silent });
    await expect(opening).rejects.toThrow(TypeError);
    await expect(opening).rejects.not.toThrow(/hunter2/);
  });

  test('the nodes of a cluster are found by gossip', async () => {
    const server = await start();
    const store = await open(server.connectionString.replace('esdb:', 'kurrentdb+discover:'));
    const events = anEvent();
    await store.append('found-1', NO_STREAM, events);
    expect(await store.read('found-1')).toMatchObject([{ id: events[0]?.id }]);
  });

  test('TLS and credentials are part of the connection string; with wrong ones nothing is written', async () => {
    const folder = temporaryFolder();
    endings.push(async () => folder.remove());
    const tls = selfSigned();
    const certificate = join(folder.path, 'cert.pem');
    writeFileSync(certificate, tls.certificate);
    const server = await start({ tls, users: { ponte: 'pa:ss' } });
    const at = (user: string): string =>
      `esdb://${user}localhost:${server.port}?tls=true&tlsCAFile=${encodeURIComponent(certificate)}`;
    const store = await open(at('ponte:pa%3Ass@'));
    const seen = following(store, { categories: ['tls'] });
    await store.append('tls-1', NO_STREAM, anEvent({ at: 0 }));
    await eventually(() => expect(seen).toHaveLength(1));
    for (const wrong of ['', 'ponte:guess@']) {
      const stranger = await open(at(wrong));
      await expect(stranger.append('tls-1', 0, anEvent())).rejects.toThrow(EventStoreUnavailable);
      await expect(stranger.read('tls-1')).rejects.toThrow(EventStoreUnavailable);
    }
    expect(await store.read('tls-1')).toHaveLength(1);
  });

  test('the metadata by which the product links events has the names that it expects', async () => {
    const server = await start();
    const { EventStoreDBClient } = await import('@eventstore/db-client');
    const store = await open(server.connectionString);
    const [event] = anEvent();
    if (!event) throw new Error('no event');
    await store.append('linked-1', NO_STREAM, [
      { ...event, meta: { ...event.meta, causationId: 'cause', actor: 'policy' } },
    ]);
    const raw = EventStoreDBClient.connectionString(server.connectionString);
    endings.push(() => raw.dispose());
    for await (const { event: stored } of raw.readStream('linked-1')) {
      expect(stored?.metadata).toMatchObject({
        $correlationId: event.meta.correlationId,
        $causationId: 'cause',
        commandId: event.meta.commandId,
        version: 1,
      });
    }
    expect((await store.read('linked-1'))[0]?.meta).toEqual({ ...event.meta, causationId: 'cause', actor: 'policy' });
  });
});
