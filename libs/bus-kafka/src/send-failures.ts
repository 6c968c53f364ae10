import { KafkaJSNonRetriableError } from 'kafkajs';

/** The brokers did not take a message in time; they may have it all the same. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/**
 * kafkajs asks the brokers for every topic that a producer has ever reached, and takes none of the answer when one of
 * them is gone: a single deleted topic for replies would end all sending. So a producer that meets it is replaced by a
 * new one.
 */
export function isUnknownTopic(error: unknown): boolean {
  const { type, cause } = error as { readonly type?: unknown; readonly cause?: unknown };
  return type === 'UNKNOWN_TOPIC_OR_PARTITION' || (cause instanceof Error && isUnknownTopic(cause));
}

/** Not worth another try: the client says so of the error itself, or of what it gave up on. */
export function isForGood(error: unknown): boolean {
  const { cause } = error as { readonly cause?: unknown };
  if (error instanceof KafkaJSNonRetriableError && cause instanceof Error && 'retriable' in cause)
    return cause.retriable !== true;
  return (error as { readonly retriable?: unknown }).retriable === false;
}
