import type { EngineLogger } from '@ponte/event-sourcing';
import { migrate } from './migrations';
import { Postgres } from './postgres';
import { SHARED_SCHEMA } from './state/backlogs';
import { ENGINE_TABLES, KEY_TABLES, SHARED_TABLES, SNAPSHOT_TABLES } from './tables';

/** The default schema for the keys of subjects. */
export const KEYS_SCHEMA = 'ponte_keys';

const silent: EngineLogger = { warn: () => undefined, error: () => undefined };

/**
 * Creates or updates the tables of the engines in the services' schemas, and the tables of the keys and of shared
 * state. Services create their read models themselves when they start. For a job before a release: it is repeatable,
 * and safe while the previous release runs.
 */
export async function migratePostgres(
  url: string,
  schemas: readonly string[],
  options: { readonly keysSchema?: string; readonly logger?: EngineLogger } = {},
): Promise<void> {
  const { keysSchema = KEYS_SCHEMA, logger = silent } = options;
  const postgres = await Postgres.open({
    url,
    schema: schemas[0] ?? keysSchema,
    logger,
    applicationName: 'ponte migrate',
    limits: { connections: 1 },
  });
  try {
    for (const schema of schemas) {
      await migrate(postgres, schema, ENGINE_TABLES);
      await migrate(postgres, schema, SNAPSHOT_TABLES);
    }
    await migrate(postgres, keysSchema, KEY_TABLES);
    await migrate(postgres, SHARED_SCHEMA, SHARED_TABLES);
  } finally {
    await postgres.close();
  }
}
