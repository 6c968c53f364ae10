import { Kafka, logLevel } from 'kafkajs';
import type { LogEntry } from 'kafkajs';
import { ReportLimit } from '@ponte/concurrency';
import type { EngineLogger } from '@ponte/event-sourcing';
import type { KafkaConnection } from './options';
import { quietQueues } from './partitions/quiet-queue';

/** Longer than a busy broker takes, and shorter than a session, in milliseconds. */
const CONNECT_MS = 3_000;
const REQUEST_MS = 10_000;
const FIRST_RETRY_MS = 50;
const MAX_RETRY_MS = 1_000;
const RETRIES = 5;

/** Opens a client of the brokers whose log goes to our logger. */
export function openClient(
  { brokers, ssl, sasl, socketFactory }: KafkaConnection,
  clientId: string,
  logger: EngineLogger,
): Kafka {
  quietQueues();
  const reports = new ReportLimit();
  return new Kafka({
    clientId,
    brokers: [...brokers],
    ssl,
    sasl,
    socketFactory,
    connectionTimeout: CONNECT_MS,
    requestTimeout: REQUEST_MS,
    retry: { initialRetryTime: FIRST_RETRY_MS, maxRetryTime: MAX_RETRY_MS, retries: RETRIES },
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => bridge(entry, logger, reports),
  });
}

/** The fields of a log entry that are kept. They contain only names, never a message. */
const FIELDS = ['groupId', 'broker', 'clientId', 'error', 'retryCount', 'topic', 'partition'] as const;
/** Messages that the client logs as errors although they are normal: rebalances, or brokers that are not ready yet. */
const USUAL =
  /rebalanc|re-joining|coordinator is loading|coordinator for this group|not aware of this member|unknown member|specified group generation|leader ?election|no leader for this topic|This server does not host|limiting retries for the idempotent|topic creation errors|group coordinator is not available/i;

/**
 * Logs messages of the client as warnings, because the caller reports permanent failures. Messages about members that
 * join or leave are dropped. During an outage the client repeats each message about ten times a second; it is logged at
 * most once in a while for each broker, partition and error.
 */
export function bridge({ namespace, log }: LogEntry, logger: EngineLogger, reports = new ReportLimit()): void {
  // For some failures the client passes the error itself.
  const message = String(log.message);
  const error: unknown = log['error'];
  if (USUAL.test(message) || (typeof error === 'string' && USUAL.test(error))) return;
  const fields = Object.fromEntries(
    FIELDS.map((name) => [name, log[name]]).filter(
      ([, value]) => typeof value === 'string' || typeof value === 'number',
    ),
  );
  const { retryCount: _, ...kind } = fields;
  reports.note(JSON.stringify([message, kind]), (repeats) =>
    logger.warn({ ...fields, kafka: namespace, ...repeats }, message),
  );
}
