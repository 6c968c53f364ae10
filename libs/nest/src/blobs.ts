import { join } from 'node:path';
import type { FactoryProvider } from '@nestjs/common';
import type { S3Options } from '@ponte/blobs';
import { FolderBlobs, S3Blobs } from '@ponte/blobs';
import type { Blobs, PersonalData } from '@ponte/event-sourcing';
import type { Clock, Setting, Variables } from '@ponte/kernel';
import type { Logger } from 'pino';
import { instrument, isHttpUrl, readEach, SettingsReader } from '@ponte/kernel';
import type { Tracing } from '@ponte/observability';
import { portTraces } from '@ponte/observability';
import type { Runtime } from './process/runtime';
import { BLOBS, LOGGER, PERSONAL_DATA, RUNTIME, SYSTEM_CLOCK, TRACING } from './tokens';

/**
 * Settings of the storage for uploaded files. The gateway writes the files and onboarding deletes them, so both
 * services must have the same values.
 */
export const BLOBS_SETTINGS: readonly Setting[] = [
  {
    name: 'BLOBS_FOLDER',
    meaning: 'folder of the uploaded files, which are encrypted; shared by the gateway and onboarding',
    default: '`blobs` in the data folder',
  },
  {
    name: 'BLOBS_S3',
    meaning:
      'an S3-compatible bucket instead of the folder, as JSON: bucket-url, region, access-key-id, secret-access-key, session-token; the same for the gateway and onboarding',
    default: '',
  },
  { name: 'BLOBS_TIMEOUT_MS', meaning: 'time limit of one request to the bucket', default: '10000' },
];

interface BlobsConfig {
  /** Null means the `blobs` folder in the data folder. */
  readonly folder: string | null;
  /** Null means that files are stored in the folder. */
  readonly bucket: Pick<S3Options, 'bucketUrl' | 'region' | 'credentials'> | null;
  readonly timeoutMs: number;
}

interface BlobsEngines {
  readonly personalData: PersonalData;
  readonly dataDirectory: string;
  readonly systemClock: Clock;
  readonly logger: Logger;
  readonly tracing: Tracing;
}

const BUCKET_FIELDS = ['bucket-url', 'region', 'access-key-id', 'secret-access-key', 'session-token'] as const;

/** Throws an error that names the invalid variable. It quotes no value, because the value may contain keys. */
export function readBlobsConfig(env: Variables): BlobsConfig {
  const settings = new SettingsReader(BLOBS_SETTINGS, env);
  const folder = settings.optional('BLOBS_FOLDER');
  const bucket = settings.optional('BLOBS_S3');
  if (folder !== null && bucket !== null) throw new Error('BLOBS_FOLDER and BLOBS_S3 exclude each other: set only one');
  return readEach({
    folder: () => folder,
    bucket: () => (bucket === null ? null : bucketOf(bucket)),
    timeoutMs: () => settings.wholeNumber('BLOBS_TIMEOUT_MS', 100, 120_000),
  });
}

/** Provides the configured store. Its settings are read when the process starts. */
export const blobsProvider = (environment: () => Variables): FactoryProvider<Blobs> => ({
  provide: BLOBS,
  inject: [RUNTIME, PERSONAL_DATA, SYSTEM_CLOCK, LOGGER, TRACING],
  useFactory: (
    { dataDirectory }: Runtime,
    personalData: PersonalData,
    systemClock: Clock,
    logger: Logger,
    tracing: Tracing,
  ) => openBlobs(readBlobsConfig(environment()), { dataDirectory, personalData, systemClock, logger, tracing }),
});

/** The calls to the bucket that get spans. A folder is local and gets none. */
const BLOB_CALLS = ['put', 'get', 'delete', 'list'] as const;

/** Opens the configured store. Creates the folder if files are stored in one. */
export async function openBlobs(
  { folder, bucket, timeoutMs }: BlobsConfig,
  { personalData, dataDirectory, systemClock, logger, tracing }: BlobsEngines,
): Promise<Blobs> {
  if (!bucket) return FolderBlobs.open(folder ?? join(dataDirectory, 'blobs'), personalData, systemClock.now());
  const warn = (reason: string): void => logger.warn({ reason }, 'the blob store could not be read');
  const s3: Blobs = new S3Blobs({ ...bucket, timeoutMs, now: systemClock.now, warn }, personalData);
  const attributes = { 'rpc.system.name': 'aws-api', 'rpc.service': 'S3' };
  return instrument(s3, [portTraces('blobs', BLOB_CALLS, attributes, tracing)]);
}

function bucketOf(json: string): BlobsConfig['bucket'] {
  const given = parsed(json);
  const text = (field: (typeof BUCKET_FIELDS)[number]): string => {
    const value = given[field];
    if (typeof value !== 'string' || value === '') throw new Error(`BLOBS_S3: ${field} must be a string`);
    return value;
  };
  const bucketUrl = text('bucket-url');
  if (!isHttpUrl(bucketUrl)) throw new Error('BLOBS_S3: bucket-url must be an http or https URL');
  const sessionToken = given['session-token'] === undefined ? null : text('session-token');
  return {
    bucketUrl,
    region: text('region'),
    credentials: { accessKeyId: text('access-key-id'), secretAccessKey: text('secret-access-key'), sessionToken },
  };
}

function parsed(json: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error('BLOBS_S3 must be JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('BLOBS_S3 must be a JSON object');
  if (Object.keys(value).some((field) => !BUCKET_FIELDS.some((known) => known === field)))
    throw new Error(`BLOBS_S3 has an unknown field; accepted are ${BUCKET_FIELDS.join(', ')}`);
  return value as Readonly<Record<string, unknown>>;
}
