import type { Message } from 'kafkajs';

/** The largest number of messages in one produce request. */
const MAX_BATCH = 1_000;
/**
 * The most bytes in one produce request, unless a single message is larger. Brokers accept 1,048,588 bytes for each
 * partition by default (`message.max.bytes`), and all messages may be for one partition. The rest is for the fields of
 * the format.
 */
const MAX_BYTES = 768 * 1_024;

/** How many of the waiting messages fit into one produce request; at least one, if any waits. */
export function countOf(waiting: readonly { readonly message: Message }[]): number {
  let bytes = 0;
  for (const [count, { message }] of waiting.slice(0, MAX_BATCH).entries()) {
    bytes += bytesOf(message);
    if (count > 0 && bytes > MAX_BYTES) return count;
  }
  return Math.min(waiting.length, MAX_BATCH);
}

/** Without the fields of the format. */
function bytesOf({ key, value, headers = {} }: Message): number {
  const texts = [key, value, ...Object.entries(headers).flat(2)];
  return texts.reduce<number>((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
}
