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
  return parsed(settled(connectionString, name));
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
