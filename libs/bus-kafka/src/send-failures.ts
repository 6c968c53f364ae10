import { KafkaJSNonRetriableError } from 'kafkajs';

/** The brokers did not acknowledge a message in time. They may have received it anyway. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/**
 * kafkajs requests metadata for every topic that a producer has ever reached, and discards the whole response if one of
 * them no longer exists: a single deleted reply topic would stop all sending. So a producer with this error is
 * replaced.
 */
export const isUnknownTopic = (error: unknown): boolean => hasType(error, 'UNKNOWN_TOPIC_OR_PARTITION');

/** Whether the error or one of its causes has this type of Kafka's protocol. */
function hasType(error: unknown, wanted: string): boolean {
  const { type, cause } = error as { readonly type?: unknown; readonly cause?: unknown };
  return type === wanted || (cause instanceof Error && hasType(cause, wanted));
}

/** True if a retry cannot help, according to the client's error or its cause. */
export function isPermanent(error: unknown): boolean {
  const { cause } = error as { readonly cause?: unknown };
  if (error instanceof KafkaJSNonRetriableError && cause instanceof Error && 'retriable' in cause)
    return cause.retriable !== true;
  return (error as { readonly retriable?: unknown }).retriable === false;
}

/**
 * True if the brokers rejected the message itself, for example because it is too large. A broker that fails
 * unexpectedly (`UNKNOWN`), as on a full disk, says nothing about the message.
 */
export const isRejected = (error: unknown): boolean =>
  error instanceof NotSent && error.cause !== undefined && isPermanent(error.cause) && !hasType(error.cause, 'UNKNOWN');
