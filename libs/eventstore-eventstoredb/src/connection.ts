import { EventStoreDBClient } from '@eventstore/db-client';
import type { Credentials } from '@eventstore/db-client';
import type { EngineLogger } from '@ponte/event-sourcing';
import { isStreamNotFound } from './failures';
import type { EventStoreDbLimits } from './options';
import { ProvenClient } from './proven-client';
import { eventsOf } from './reading/reading';

/** Separate clients for each purpose, so that an error of one does not close the channel of another. */
export interface Connections {
  /** Connected to the leader. */
  readonly appends: ProvenClient;
  /** Connected to the leader. */
  readonly reads: ProvenClient;
  /** Connected to any node that the connection string prefers. */
  readonly subscriptions: ProvenClient;
  /**
   * Passed with every append: with credentials, the client makes one call per append instead of using batch append.
   * Without TLS they are ignored.
   */
  readonly credentials: Credentials;
}

/** A stream that is never written. Every node can answer whether it exists, at no cost. */
const PROBED_STREAM = 'ponte-probe';

/**
 * Prepares one connection each for appends, reads and subscriptions; appends and reads require the leader. Throws for
 * an invalid connection string.
 */
export function connect(
  connectionString: string,
  connectionName: string,
  { logger, limits }: { readonly logger: EngineLogger; readonly limits: EventStoreDbLimits },
): Connections {
  const proven = (concern: string, requiresLeader: boolean): ProvenClient => {
    const make = (): EventStoreDBClient =>
      parsed(settled(connectionString, `${connectionName} ${concern}`, requiresLeader));
    // Throws for an invalid connection string. It does not connect yet.
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

/** Replaces the client's own error, which quotes the string including the password. */
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
 * Adds options; the later of two equal options takes effect. Whatever the string contains, a failed append throws, and
 * discovery does not wait long for a silent node. The client's keepalive is slower than our own probe of a silent node,
 * so it does not interfere.
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

/** The credentials in the string, or placeholders if it contains none. */
function credentialsIn(connectionString: string): Credentials {
  const [, username = 'none', password = 'none'] = /^[^:]+:\/\/([^:@/]+):([^@]+)@/.exec(connectionString.trim()) ?? [];
  return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}

/**
 * Reads a stream that does not exist. A follower redirects the client to the leader, so the read is then repeated once.
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
