import { readFileSync } from 'node:fs';
import type { Setting, SettingsReader } from '@ponte/kernel';
import { readEach } from '@ponte/kernel';

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

export const KAFKA_SETTINGS: readonly Setting[] = [
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
];

const MAX_PARTITIONS = 200;

/** Throws an error that names the settings that are missing or invalid. */
export function kafkaOf(settings: SettingsReader, environment: 'sandbox' | 'production'): KafkaSettings {
  return readEach({
    brokers: () => {
      const brokers = settings.list('KAFKA_BROKERS');
      if (!brokers.every((broker) => /^[^\s:]+:\d+$/.test(broker)))
        throw new Error('KAFKA_BROKERS must be a comma-separated list of host:port');
      return brokers;
    },
    prefix: () => {
      const prefix = settings.text('KAFKA_PREFIX');
      if (!/^[A-Za-z0-9._-]{0,64}$/.test(prefix))
        throw new Error('KAFKA_PREFIX must be at most 64 letters, digits, dots, hyphens and underscores');
      return prefix;
    },
    sasl: () => saslOf(settings),
    ssl: () => sslOf(settings),
    partitions: () => settings.wholeNumber('KAFKA_PARTITIONS', 1, MAX_PARTITIONS),
    replicationFactor: () =>
      settings.wholeNumber('KAFKA_REPLICATION_FACTOR', 1, 9, environment === 'production' ? 3 : 1),
  });
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
