import type { Position } from '@ponte/event-sourcing';

/** The position with which `relay rewind` moves a reader to the beginning. */
export const START = 'start';

/** A position in the log: an increasing number, or two of them in EventStoreDB. */
const IN_LOG = /^(\d+)(?::\d+)?$/;

/**
 * The distance in events (SQLite) or bytes (EventStoreDB). Null if the end is unknown, and for readers of other
 * sources: a reader of the bank stores a time.
 */
export function behind(position: Position | undefined, head: Position | undefined | null): number | null {
  if (head === null || (position && !IN_LOG.test(position))) return null;
  const distance = numberOf(head) - numberOf(position);
  return Number(distance < 0n ? 0n : distance);
}

/** Whether a position is beyond the end of this log, so that events would be skipped. */
export const isBeyond = (position: Position, head: Position | undefined): boolean =>
  IN_LOG.test(position) && numberOf(position) > numberOf(head);

const numberOf = (position: Position | undefined): bigint => BigInt(IN_LOG.exec(position ?? '')?.[1] ?? 0);
