import type { Area } from './migrations';

/** Compared texts sort by bytes, as in SQLite: cursors and sort order must not depend on the server's locale. */
const TEXT = 'text COLLATE "C"';

/** The state of readers of the log and of the gateway's replicas, in the schema of their service. */
export const ENGINE_TABLES: Area = {
  name: 'engines',
  steps: [
    (schema) => `
    CREATE TABLE ${schema}.checkpoints (reader ${TEXT} PRIMARY KEY, position text NOT NULL, fence bigint NOT NULL)
      WITH (fillfactor = 50);
    CREATE TABLE ${schema}.leases (name ${TEXT} PRIMARY KEY, holder text NOT NULL, fence bigint NOT NULL,
      expires_at timestamptz NOT NULL) WITH (fillfactor = 50);
    CREATE TABLE ${schema}.parked (
      consumer ${TEXT} NOT NULL, stream ${TEXT} NOT NULL, revision bigint NOT NULL, event ${TEXT} NOT NULL,
      body text NOT NULL, reason text NOT NULL, parked_at text NOT NULL, PRIMARY KEY (consumer, event)
    );
    CREATE INDEX parked_by_stream ON ${schema}.parked (consumer, stream, revision);
    CREATE TABLE ${schema}.nonces (key_id ${TEXT} NOT NULL, nonce ${TEXT} NOT NULL, until_ms bigint NOT NULL,
      taker text NOT NULL, PRIMARY KEY (key_id, nonce));
    CREATE INDEX nonces_by_end ON ${schema}.nonces (until_ms);
    CREATE TABLE ${schema}.idempotency (
      scope ${TEXT} PRIMARY KEY, body_hash text NOT NULL, fence bigint NOT NULL, until_ms bigint NOT NULL,
        taker text NOT NULL, status integer, body text
    );
    CREATE INDEX idempotency_by_end ON ${schema}.idempotency (until_ms);
    CREATE UNLOGGED TABLE ${schema}.buckets (
      bucket ${TEXT} PRIMARY KEY, tokens double precision NOT NULL, at_ms bigint NOT NULL,
        full_at_ms bigint NOT NULL, granted integer NOT NULL
    ) WITH (fillfactor = 50)
  `,
    (schema) => `
    CREATE TABLE ${schema}.reader_troubles (reader ${TEXT} PRIMARY KEY, trouble text NOT NULL, since text NOT NULL);
    CREATE TABLE ${schema}.operator_actions (
      id ${TEXT} PRIMARY KEY, verb text NOT NULL, subject text NOT NULL, actor text NOT NULL, reason text NOT NULL,
        asked_at ${TEXT} NOT NULL,
      taken_by text, ended_at text, succeeded smallint, detail text
    );
    CREATE INDEX operator_actions_by_time ON ${schema}.operator_actions (asked_at)
  `,
    (schema) => `
    CREATE TABLE ${schema}.discarded (
      consumer ${TEXT} NOT NULL, event ${TEXT} NOT NULL, actor text NOT NULL, why text NOT NULL,
      discarded_at text NOT NULL, PRIMARY KEY (consumer, event)
    )
  `,
    (schema) => `
    CREATE TABLE ${schema}.parked_notes (
      consumer ${TEXT} NOT NULL, event ${TEXT} NOT NULL, missing_from bigint, failed_because text, failed_at text,
      failures integer, PRIMARY KEY (consumer, event)
    )
  `,
    (schema) => `
    CREATE TABLE ${schema}.parked_removals (
      consumer ${TEXT} NOT NULL, event ${TEXT} NOT NULL, PRIMARY KEY (consumer, event)
    )
  `,
  ],
};

/** Snapshots of long streams. A server crash empties these unlogged tables; streams are then folded from events. */
export const SNAPSHOT_TABLES: Area = {
  name: 'snapshots',
  steps: [
    (schema) => `
    CREATE UNLOGGED TABLE ${schema}.snapshots (stream ${TEXT} PRIMARY KEY, revision bigint NOT NULL,
      shape integer NOT NULL, body text NOT NULL);
    CREATE UNLOGGED TABLE ${schema}.snapshot_parts (stream ${TEXT} NOT NULL, digest ${TEXT} NOT NULL,
      bytes bytea NOT NULL, PRIMARY KEY (stream, digest))
  `,
  ],
};

/** State exchanged by the processes of all services, in a shared schema. Losing it in a server crash is harmless. */
export const SHARED_TABLES: Area = {
  name: 'shared',
  steps: [
    (schema) => `
    CREATE UNLOGGED TABLE ${schema}.backlogs (
      process ${TEXT} PRIMARY KEY, reader ${TEXT} NOT NULL, behind_ms bigint NOT NULL, reported_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)
  `,
  ],
};

/** Wrapped keys of subjects, in a schema that the services share and whose backups are stored separately. */
export const KEY_TABLES: Area = {
  name: 'keys',
  steps: [
    (schema) => `
    CREATE TABLE ${schema}.person_keys (subject ${TEXT} PRIMARY KEY, wrapped bytea);
    CREATE TABLE ${schema}.key_store (name ${TEXT} PRIMARY KEY, value bytea NOT NULL)
  `,
  ],
};
