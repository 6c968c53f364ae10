import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { KeyRing } from '@ponte/personal-data';
import { MASTER_KEY_VARIABLES, masterKeyFrom } from '@ponte/personal-data';
import type { Setting, Variables } from '@ponte/kernel';
import { SettingsReader } from '@ponte/kernel';

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

export interface KafkaSettings {
  readonly brokers: readonly string[];
  /** TLS with the system's certificates (true), TLS with the given ones (PEM), or no TLS (false). */
  readonly ssl: boolean | { readonly ca: string[] };
  readonly sasl: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  } | null;
  /** Prefix of the names of all topics and groups, so that installations can share brokers. */
  readonly prefix: string;
  /** Number of partitions of a new topic. */
  readonly partitions: number;
  readonly replicationFactor: number;
}

export const REMOTE_SETTINGS: readonly Setting[] = [
  {
    name: 'ESDB_URL',
    meaning: 'connection string of EventStoreDB; with KAFKA_BROKERS and DATABASE_URL the process is part of a cluster',
    default: '',
  },
  { name: 'KAFKA_BROKERS', meaning: 'Kafka brokers as a comma-separated list of host:port', default: '' },
  { name: 'KAFKA_SSL', meaning: 'true: connect to the brokers with TLS', default: 'false' },
  {
    name: 'KAFKA_SSL_CA',
    meaning: 'PEM file of the CA certificates of the brokers; with KAFKA_SSL',
    default: 'those of the system',
  },
  {
    name: 'KAFKA_SASL_MECHANISM',
    meaning: 'plain, scram-sha-256 or scram-sha-512; with KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
    default: 'none',
  },
  { name: 'KAFKA_SASL_USERNAME', meaning: 'user name at the brokers', default: '' },
  { name: 'KAFKA_SASL_PASSWORD', meaning: 'password of that user', default: '' },
  { name: 'KAFKA_PREFIX', meaning: 'prefix of the names of all topics and groups', default: '' },
  {
    name: 'KAFKA_PARTITIONS',
    meaning: 'number of partitions of a new topic; at most this many replicas of a service share the work',
    default: '12',
  },
  {
    name: 'KAFKA_REPLICATION_FACTOR',
    meaning: 'replication factor of a new topic',
    default: '3 in production, 1 in the sandbox',
  },
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
const MAX_PARTITIONS = 200;
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
    remote: {
      esdbUrl: env['ESDB_URL'] ?? '',
      databaseUrl: env['DATABASE_URL'] ?? '',
      kafka: kafkaOf(settings, environment),
      databaseConnections: settings.wholeNumber('DATABASE_CONNECTIONS', 1, MAX_CONNECTIONS),
      masterKey: masterKeyFrom(env),
      instance: env['PONTE_INSTANCE'] || `${hostname()}-${process.pid}-${randomBytes(INSTANCE_BYTES).toString('hex')}`,
    },
  };
}

const INSTANCE_BYTES = 3;

function kafkaOf(settings: SettingsReader, environment: 'sandbox' | 'production'): KafkaSettings {
  const brokers = settings.list('KAFKA_BROKERS');
  if (!brokers.every((broker) => /^[^\s:]+:\d+$/.test(broker)))
    throw new Error('KAFKA_BROKERS must be a comma-separated list of host:port');
  const prefix = settings.text('KAFKA_PREFIX');
  if (!/^[A-Za-z0-9._-]{0,64}$/.test(prefix))
    throw new Error('KAFKA_PREFIX must be at most 64 letters, digits, dots, hyphens and underscores');
  return {
    brokers,
    prefix,
    sasl: saslOf(settings),
    ssl: sslOf(settings),
    partitions: settings.wholeNumber('KAFKA_PARTITIONS', 1, MAX_PARTITIONS),
    replicationFactor: settings.wholeNumber('KAFKA_REPLICATION_FACTOR', 1, 9, environment === 'production' ? 3 : 1),
  };
}

function sslOf(settings: SettingsReader): KafkaSettings['ssl'] {
  const isOn = settings.flag('KAFKA_SSL');
  const file = settings.optional('KAFKA_SSL_CA');
  if (file === null) return isOn;
  if (!isOn) throw new Error('KAFKA_SSL_CA is set but KAFKA_SSL is not true: the connection would not be encrypted');
  return { ca: [certificates(file)] };
}

function certificates(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch {
    // Reported below. The error names the setting; the cause does not matter.
  }
  throw new Error('KAFKA_SSL_CA must be the path of a PEM file of certificates');
}

const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

function saslOf(settings: SettingsReader): KafkaSettings['sasl'] {
  if (settings.optional('KAFKA_SASL_MECHANISM') === null) return null;
  const mechanism = settings.oneOf('KAFKA_SASL_MECHANISM', MECHANISMS);
  const where = 'with KAFKA_SASL_MECHANISM';
  return {
    mechanism,
    username: settings.required('KAFKA_SASL_USERNAME', where),
    password: settings.required('KAFKA_SASL_PASSWORD', where),
  };
}

/** Throws if the environment does not configure the remote engines. */
export function remoteOf({ remote }: { readonly remote?: RemoteEngines }, service: string): RemoteEngines {
  if (remote) return remote;
  throw new Error(
    `${service} is a process of a cluster and needs ESDB_URL, KAFKA_BROKERS and DATABASE_URL; npm start runs everything in one process without them`,
  );
}
