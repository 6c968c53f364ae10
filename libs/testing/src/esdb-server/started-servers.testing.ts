import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { credentials } from '@grpc/grpc-js';
import type { EsdbServer, EsdbServerOptions } from './server';
import { startEsdbServer } from './server';

/** Functions that end what a test has started; called after each test. */
export const ends: (() => Promise<unknown> | void)[] = [];
/** Ends after each test of a file what it has started. */
export function endsServers(): void {
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
}

export async function start(
  options: EsdbServerOptions = {},
): Promise<{ readonly server: EsdbServer; readonly client: EventStoreDBClient; readonly wire: StreamsClient }> {
  const server = await startEsdbServer({ faulty: false, ...options });
  const client = EventStoreDBClient.connectionString(server.connectionString);
  const wire = new StreamsClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
  ends.push(
    () => server.stop(),
    () => client.dispose(),
    () => wire.close(),
  );
  return { server, client, wire };
}

export const event = (at = 0) => jsonEvent({ type: 'Counted', data: { at } });
