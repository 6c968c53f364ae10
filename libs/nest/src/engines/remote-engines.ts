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
  /** At most so many connections of one process to PostgreSQL, beside the one that holds its leases. */
  readonly databaseConnections: number;
  /** Wraps the keys of persons; the same for all processes. */
  readonly masterKey: KeyRing;
  /** Names this process among the replicas of its service. */
  readonly instance: string;
}

export interface KafkaSettings {
  readonly brokers: readonly string[];
  /** TLS: with the system's certificates, with given ones (PEM), or none. */
  readonly ssl: boolean | { readonly ca: string[] };
  readonly sasl: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  } | null;
  /** Stands before the name of each topic and group, so that installations can share brokers. */
  readonly prefix: string;
  /** Of a topic when it is made. */
  readonly partitions: number;
  readonly replicationFactor: number;
}

export const REMOTE_SETTINGS: readonly Setting[] = [
  {
    name: 'ESDB_URL',
    meaning: 'EventStoreDB; with KAFKA_BROKERS and DATABASE_URL it makes this a process of a cluster',
    default: '',
  },
  { name: 'KAFKA_BROKERS', meaning: 'host:port of Kafka brokers, with commas between', default: '' },
  { name: 'KAFKA_SSL', meaning: 'true: speak TLS to the brokers', default: 'false' },
  {
    name: 'KAFKA_SSL_CA',
    meaning: 'file of the certificates that brokers are trusted by, PEM; with KAFKA_SSL',
    default: 'those of the system',
  },
  {
    name: 'KAFKA_SASL_MECHANISM',
    meaning: 'plain, scram-sha-256 or scram-sha-512; with KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD',
    default: 'none',
  },
  { name: 'KAFKA_SASL_USERNAME', meaning: 'user of the brokers', default: '' },
  { name: 'KAFKA_SASL_PASSWORD', meaning: 'password of that user', default: '' },
  { name: 'KAFKA_PREFIX', meaning: 'stands before the name of each topic and group', default: '' },
  {
    name: 'KAFKA_PARTITIONS',
    meaning: 'partitions of a topic when it is made: at most so many replicas of a service share its work',
    default: '12',
  },
  {
    name: 'KAFKA_REPLICATION_FACTOR',
    meaning: 'copies of a topic when it is made',
    default: '3 in production, 1 in the sandbox',
  },
  {
    name: 'DATABASE_URL',
    meaning: 'PostgreSQL: views, leases, checkpoints, keys of persons, state of the edge',
    default: '',
  },
  {
    name: 'DATABASE_CONNECTIONS',
    meaning:
      "connections of one process to PostgreSQL, beside one for its leases; all processes together stay below the server's max_connections",
    default: '5',
  },
  {
    name: MASTER_KEY_VARIABLES.file,
    meaning: 'file of the master key that wraps the keys of persons, 64 hexadecimal digits, the same for all processes',
    default: '',
  },
  { name: MASTER_KEY_VARIABLES.key, meaning: 'that key itself, where a file cannot be', default: '' },
  {
    name: MASTER_KEY_VARIABLES.other,
    meaning: 'file of a second master key that opens and does not wrap, while one key follows another',
    default: '',
  },
  {
    name: 'PONTE_INSTANCE',
    meaning:
      'name of this process among the replicas of its service; one that comes back under its name takes up at once what its forerunner held',
    default: 'host, pid and a random part',
  },
];

const ENGINE_VARIABLES = ['ESDB_URL', 'KAFKA_BROKERS', 'DATABASE_URL'] as const;
const MAX_PARTITIONS = 200;
const MAX_CONNECTIONS = 200;

/**
 * All of the engines or none: a process with half of them would keep the other half in its folder, where no replica
 * sees it.
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
      `${given.join(' and ')} is set and ${missing} is not: a process of a cluster needs ${ENGINE_VARIABLES.join(', ')}`,
    );
  if (env['PONTE_ENGINES'] === 'embedded') throw new Error(`PONTE_ENGINES=embedded contradicts ${given.join(', ')}`);
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
    throw new Error('KAFKA_BROKERS is not a list of host:port');
  const prefix = settings.text('KAFKA_PREFIX');
  if (!/^[A-Za-z0-9._-]{0,64}$/.test(prefix))
    throw new Error('KAFKA_PREFIX has letters, digits, dots, dashes and underscores, at most 64');
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
  if (!isOn)
    throw new Error('KAFKA_SSL_CA is given and KAFKA_SSL is not true: the brokers would be spoken to in clear');
  return { ca: [certificates(file)] };
}

function certificates(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  } catch {
    // Said below: what it is that cannot be read matters, not why.
  }
  throw new Error('KAFKA_SSL_CA names no file of certificates in PEM');
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

/** Throws where the environment does not name the engines. */
export function remoteOf({ remote }: { readonly remote?: RemoteEngines }): RemoteEngines {
  if (!remote) throw new Error('a process of a cluster needs ESDB_URL, KAFKA_BROKERS and DATABASE_URL');
  return remote;
}
