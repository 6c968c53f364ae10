import { EventStoreDBClient } from '@eventstore/db-client';

/** One client for each concern, so that what goes wrong with one does not close the channel of another. */
export interface Connections {
  readonly appends: EventStoreDBClient;
  readonly reads: EventStoreDBClient;
  readonly subscriptions: EventStoreDBClient;
}

/** A channel that never was there is not worth waiting for. */
const CLOSE_MS = 500;

export function connect(connectionString: string, connectionName: string): Connections {
  return {
    appends: client(connectionString, `${connectionName} appends`),
    reads: client(connectionString, `${connectionName} reads`),
    subscriptions: client(connectionString, `${connectionName} subscriptions`),
  };
}

function client(connectionString: string, name: string): EventStoreDBClient {
  const made = parsed(settled(connectionString, name));
  withoutBatchAppend(made);
  return made;
}

/** A client's own error quotes the string, and with it the password. */
function parsed(connectionString: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(connectionString);
  } catch {
    throw new TypeError('the connection string of the event store is not valid, or names a certificate file that is not there');
  }
}

/** The later of two equal options wins: whatever the string says, a failed append throws. */
function settled(connectionString: string, name: string): string {
  const known = connectionString.trim().replace(/^(?:kurrentdb|kdb)(?=\+discover:|:)/, 'esdb');
  const options = `throwOnAppendFailure=true&connectionName=${encodeURIComponent(name)}`;
  return `${known}${known.includes('?') ? '&' : '?'}${options}`;
}

/**
 * Makes the client append with one call for each append. Its batch append keeps the appends of all clients of the process
 * in one table: a stream that breaks rejects everybody's, and an answer that comes for one of those afterwards throws where
 * nobody can catch it. It has no deadline either, and before the first append it asks, without one, what the server can do.
 * The client takes batch append only when it believes that the server knows it.
 */
function withoutBatchAppend(made: EventStoreDBClient): void {
  Object.defineProperty(made, 'supports', { value: () => Promise.resolve(false) });
}

/** Ends what is running and lets go of the channels, which `dispose` keeps. */
export async function disconnect(connections: Connections): Promise<void> {
  await Promise.all(Object.values(connections).map(async (one: EventStoreDBClient) => {
    const timeout = new Promise<void>((resolve) => { setTimeout(resolve, CLOSE_MS).unref(); });
    await Promise.race([one.dispose().then(() => closeChannel(one)).catch(() => undefined), timeout]);
  }));
}

async function closeChannel(made: EventStoreDBClient): Promise<void> {
  const getChannel = Reflect.get(made, 'getChannel') as () => Promise<{ close(): void }>;
  (await getChannel()).close();
}
