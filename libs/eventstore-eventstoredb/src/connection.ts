import { EventStoreDBClient } from '@eventstore/db-client';
import type { Credentials } from '@eventstore/db-client';
import type { EngineLogger } from '@ponte/event-sourcing';
import { isStreamNotFound } from './failures';
import type { EventStoreDbLimits } from './options';
import { ProvenClient } from './proven-client';
import { eventsOf } from './reading/reading';

/** One client for each concern, so that what goes wrong with one does not close the channel of another. */
export interface Connections {
  /** On the leader. */
  readonly appends: ProvenClient;
  /** On the leader. */
  readonly reads: ProvenClient;
  /** On any node that the connection string prefers. */
  readonly subscriptions: ProvenClient;
  /** Given with every append: with credentials the client makes one call of it. Without TLS they are ignored. */
  readonly credentials: Credentials;
}

/**
 * A stream that no one writes: whether it is there is a question that every node can answer, and that costs nothing.
 */
const PROBED_STREAM = 'ponte-probe';

export function connect(
  connectionString: string,
  connectionName: string,
  { logger, limits }: { readonly logger: EngineLogger; readonly limits: EventStoreDbLimits },
): Connections {
  const proven = (concern: string, requiresLeader: boolean): ProvenClient => {
    const make = (): EventStoreDBClient =>
      parsed(settled(connectionString, `${connectionName} ${concern}`, requiresLeader));
    // Throws for a string that is not one; nothing is connected yet.
    make();
    const prove = (client: EventStoreDBClient, ms: number): Promise<void> => probe(client, requiresLeader, ms);
    return new ProvenClient({
      name: concern,
      make,
      prove,
      logger,
      silenceMs: limits.silenceMs,
      proveMs: limits.proveMs,
    });
  };
  return {
    appends: proven('appends', true),
    reads: proven('reads', true),
    subscriptions: proven('subscriptions', false),
    credentials: credentialsIn(connectionString),
  };
}

/** A client's own error quotes the string, and with it the password. */
function parsed(connectionString: string): EventStoreDBClient {
  try {
    return EventStoreDBClient.connectionString(connectionString);
  } catch {
    throw new TypeError(
      'the connection string of the event store is not valid, or its certificate file does not exist',
    );
  }
}

/**
 * The later of two equal options wins. Whatever the string says, a failed append throws, discovery does not wait long
 * for a node that is silent, and the client's keepalive, which is slower than our own look at a silent node, does not
 * get in its way.
 */
function settled(connectionString: string, name: string, requiresLeader: boolean): string {
  const known = connectionString.trim().replace(/^(?:kurrentdb|kdb)(?=\+discover:|:)/, 'esdb');
  const options = [
    'throwOnAppendFailure=true',
    'gossipTimeout=1',
    'maxDiscoverAttempts=3',
    'keepAliveInterval=10000',
    'keepAliveTimeout=10000',
    ...(requiresLeader ? ['nodePreference=leader'] : []),
    `connectionName=${encodeURIComponent(name)}`,
  ];
  return `${known}${known.includes('?') ? '&' : '?'}${options.join('&')}`;
}

/** Whom the string names; anybody where it names no one. */
function credentialsIn(connectionString: string): Credentials {
  const [, username = 'none', password = 'none'] = /^[^:]+:\/\/([^:@/]+):([^@]+)@/.exec(connectionString.trim()) ?? [];
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/**
 * Asks for the existence of a stream. A follower sends the client on to the leader, so one more question goes there.
 */
async function probe(client: EventStoreDBClient, requiresLeader: boolean, ms: number, tries = 2): Promise<void> {
  try {
    for await (const event of eventsOf(client.readStream(PROBED_STREAM, { maxCount: 1, requiresLeader }), ms))
      void event;
  } catch (error) {
    if (isStreamNotFound(error)) return;
    const wasSentOn = (error as { type?: string }).type === 'not-leader';
    if (!wasSentOn || tries <= 1) throw error;
    await probe(client, requiresLeader, ms, tries - 1);
  }
}
