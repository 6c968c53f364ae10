import type { EventStoreDBClient } from '@eventstore/db-client';

/** Limits the wait for a channel that was never opened. */
const CLOSE_MS = 500;

/** Ends running calls and closes the channel, which `dispose` leaves open. */
export async function disconnect(client: EventStoreDBClient): Promise<void> {
  const timeout = new Promise<void>((resolve) => {
    setTimeout(resolve, CLOSE_MS).unref();
  });
  await Promise.race([
    client
      .dispose()
      .then(() => closeChannel(client))
      .catch(() => undefined),
    timeout,
  ]);
}

async function closeChannel(made: EventStoreDBClient): Promise<void> {
  const getChannel = Reflect.get(made, 'getChannel') as () => Promise<{ close(): void }>;
  (await getChannel()).close();
}
