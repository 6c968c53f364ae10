import type { PostgresServer } from '@ponte/testing';
import { freshId, sayEngine, startPostgres } from '@ponte/testing';
import { localMasterKey } from '@ponte/personal-data';
import type { PostgresLimits } from './options';
import { Postgres } from './postgres';
import type { LeaseTimes } from './state/leases';
import { openPostgresState } from './state/state';

/** Fields that the adapter logged. */
export const logged: object[] = [];
export const logger = {
  warn: (fields: object) => void logged.push(fields),
  error: (fields: object) => void logged.push(fields),
};
const STARTUP_MS = 240_000;
/**
 * Shorter times, so that a suite need not wait for a lease with production times to expire; long enough that a holder
 * on a busy machine renews in time.
 */
export const TIMES: LeaseTimes = { ttlMs: 4_000, renewMs: 300, askMs: 20, marginMs: 100 };
export const NOW = 1_750_000_000_000;
export const masterKey = localMasterKey(Buffer.alloc(32, 7));

export let server: PostgresServer;
const opened: { close(): Promise<void> }[] = [];

/** Starts a server for a block of tests, and reports which engine `suite` ran on. */
export function postgresUnderTest(suite: string): void {
  beforeAll(async () => {
    server = await startPostgres();
  }, STARTUP_MS);
  afterAll(async () => {
    await server?.stop();
    sayEngine(suite, server?.name ?? 'nothing');
  });
}

/** Registers something for {@link cleanUp} to close. */
export const kept = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};

/** Closes what was opened, in reverse order. */
export const cleanUp = async (): Promise<void> => {
  for (const one of opened.splice(0).reverse()) await one.close();
};

/** A schema name that no other test uses. */
export const schemaOf = (): string => `s${freshId()}`;

export const connect = async (
  schema: string,
  limits: Partial<PostgresLimits> = {},
  url = server.url,
): Promise<Postgres> => kept(await Postgres.open({ url, schema, logger, limits }));

/** The state of one process. `end` closes it and its connections. */
export const state = async (schema: string, times = TIMES) => {
  const postgres = await connect(schema);
  const one = kept(await openPostgresState(postgres, times));
  return {
    ...one,
    end: async () => {
      await one.close();
      await postgres.close();
    },
  };
};
