import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startKeptPostgres } from '@ponte/testing';
import { Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';

const run = promisify(execFile);

/** The addresses of a running cluster's engines. */
export const placesIn = (dataDirectory: string): Record<'DATABASE_URL' | 'KAFKA_BROKERS' | 'ESDB_URL', string> =>
  JSON.parse(readFileSync(join(dataDirectory, 'engines.json'), 'utf8')) as Record<
    'DATABASE_URL' | 'KAFKA_BROKERS' | 'ESDB_URL',
    string
  >;

/** Executes statements in the schema of a service. */
export async function inSchemaOf(service: string, dataDirectory: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: placesIn(dataDirectory).DATABASE_URL });
  await client.connect();
  try {
    await client.query(`SET search_path TO ponte_${service}`);
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Publishes to the topic of a service's events, which normally only its relay does. */
export async function publish(
  dataDirectory: string,
  service: string,
  messages: readonly { readonly key: string; readonly value: string }[],
): Promise<void> {
  const producer = new Kafka({
    brokers: placesIn(dataDirectory).KAFKA_BROKERS.split(','),
    logLevel: logLevel.NOTHING,
  }).producer({ allowAutoTopicCreation: false });
  await producer.connect();
  try {
    await producer.send({ topic: `${service}.events`, messages: [...messages] });
  } finally {
    await producer.disconnect();
  }
}

/** Builds a message in the form of an event that is in no log. */
export function forged(
  stream: string,
  revision: number,
  type: string,
  data: object,
  version = 1,
): { readonly id: string; readonly key: string; readonly value: string } {
  const id = randomUUID();
  const value = {
    specversion: '1.0',
    id,
    source: '/ponte/orders',
    type,
    subject: stream,
    time: '2026-01-01T00:00:00.000Z',
    datacontenttype: 'application/json',
    revision,
    position: '1:1',
    typeversion: version,
    commandid: id,
    index: 0,
    count: 1,
    correlationid: id,
    data,
  };
  return { id, key: stream, value: JSON.stringify(value) };
}

/** Dumps PostgreSQL without the keys of persons while the cluster runs. */
export async function dumpPostgres(dataDirectory: string, file: string): Promise<void> {
  await run('pg_dump', [
    '--clean',
    '--if-exists',
    '--no-owner',
    '--exclude-schema=ponte_keys',
    '--file',
    file,
    placesIn(dataDirectory).DATABASE_URL,
  ]);
}

/** Restores a dump into the PostgreSQL of a stopped cluster. */
export async function restorePostgres(dataDirectory: string, file: string): Promise<void> {
  const server = await startKeptPostgres(join(dataDirectory, 'postgres'));
  try {
    await run(
      'psql',
      ['--quiet', '--no-psqlrc', '--set', 'ON_ERROR_STOP=1', '--single-transaction', '--file', file, server.url],
      { maxBuffer: 64 << 20 },
    );
  } finally {
    await server.stop();
  }
}
