import type { EventStoreDBClient } from '@eventstore/db-client';

/** A channel that never was there is not worth waiting for. */
const CLOSE_MS = 500;

/** Ends what is running and lets go of the channel, which `dispose` keeps. */
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
