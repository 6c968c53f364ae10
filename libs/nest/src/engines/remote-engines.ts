import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { KeyRing } from '@ponte/personal-data';
import { MASTER_KEY_VARIABLES, masterKeyFrom } from '@ponte/personal-data';
import type { Setting, Variables } from '@ponte/kernel';
import { readEach, SettingsReader } from '@ponte/kernel';
import type { KafkaSettings } from '../kafka-settings';
import { KAFKA_SETTINGS, kafkaOf } from '../kafka-settings';

/** The engines that the processes of one installation share. */
export interface RemoteEngines {
  /** `esdb://user:password@host:2113?tls=true`. */
  readonly esdbUrl: string;
  readonly kafka: KafkaSettings;
  /** `postgres://user:password@host:5432/ponte`. */
  readonly databaseUrl: string;
  /** The largest number of connections of one process to PostgreSQL, besides the one that holds its leases. */
  readonly databaseConnections: number;
  /** Encrypts the keys of personal data; the same for all processes. */
  readonly masterKey: KeyRing;
  /** Identifies this process among the replicas of its service. */
  readonly instance: string;
}

export const REMOTE_SETTINGS: readonly Setting[] = [
  {
    name: 'ESDB_URL',
    meaning: 'connection string of EventStoreDB; with KAFKA_BROKERS and DATABASE_URL the process is part of a cluster',
    default: '',
  },
  ...KAFKA_SETTINGS,
  {
    name: 'DATABASE_URL',
    meaning: 'PostgreSQL, for read models, leases, checkpoints, keys of personal data and the state of the gateway',
    default: '',
  },
  {
    name: 'DATABASE_CONNECTIONS',
    meaning:
      "connections of one process to PostgreSQL, in addition to one for its leases; keep the total of all processes below the server's max_connections",
    default: '5',
  },
  {
    name: MASTER_KEY_VARIABLES.file,
    meaning:
      'file with the master key that encrypts the keys of personal data: 64 hexadecimal digits, the same for all processes',
    default: '',
  },
  { name: MASTER_KEY_VARIABLES.key, meaning: 'the master key itself, if no file can be provided', default: '' },
  {
    name: MASTER_KEY_VARIABLES.kms,
    meaning: 'ARN of a symmetric key in AWS KMS to use as the master key, instead of one in a file',
    default: '',
  },
  {
    name: MASTER_KEY_VARIABLES.other,
    meaning: 'file with the previous master key, which decrypts but does not encrypt, while keys are being rotated',
    default: '',
  },
  { name: MASTER_KEY_VARIABLES.otherKms, meaning: 'ARN of the previous master key, if it is in AWS KMS', default: '' },
  {
    name: 'PONTE_INSTANCE',
    meaning:
      'name of this process among the replicas of its service; a process that restarts under the same name takes over the leases and partitions of its predecessor at once',
    default: 'host, pid and a random part',
  },
];

const ENGINE_VARIABLES = ['ESDB_URL', 'KAFKA_BROKERS', 'DATABASE_URL'] as const;
const MAX_CONNECTIONS = 200;

/**
 * Requires either all of the remote engines or none. With only some of them, a process would keep the rest of its data
 * in its own folder, invisible to the other replicas.
 */
export function readRemoteEngines(
  env: Variables,
  environment: 'sandbox' | 'production',
): { readonly remote?: RemoteEngines } {
  const given = ENGINE_VARIABLES.filter((name) => env[name]);
  if (given.length === 0) return {};
  const [missing] = ENGINE_VARIABLES.filter((name) => !env[name]);
  if (missing)
    throw new Error(
      `${given.join(' and ')} is set but ${missing} is not: a process of a cluster needs ` +
        `${ENGINE_VARIABLES.join(', ')}`,
    );
  if (env['PONTE_ENGINES'] === 'embedded')
    throw new Error(`PONTE_ENGINES=embedded cannot be combined with ${given.join(', ')}`);
  const settings = new SettingsReader(REMOTE_SETTINGS, env);
  return {
    remote: readEach({
      esdbUrl: () => env['ESDB_URL'] ?? '',
      databaseUrl: () => env['DATABASE_URL'] ?? '',
      kafka: () => kafkaOf(settings, environment),
      databaseConnections: () => settings.wholeNumber('DATABASE_CONNECTIONS', 1, MAX_CONNECTIONS),
      masterKey: () => masterKeyFrom(env),
      instance: () =>
        env['PONTE_INSTANCE'] || `${hostname()}-${process.pid}-${randomBytes(INSTANCE_BYTES).toString('hex')}`,
    }),
  };
}

const INSTANCE_BYTES = 3;

/** Throws if the environment does not configure the remote engines. */
export function remoteOf({ remote }: { readonly remote?: RemoteEngines }, service: string): RemoteEngines {
  if (remote) return remote;
  throw new Error(
    `${service} is a process of a cluster and needs ESDB_URL, KAFKA_BROKERS and DATABASE_URL; npm start runs everything in one process without them`,
  );
}
