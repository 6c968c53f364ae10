import type { Position as LogPosition } from '@eventstore/db-client';
import type { Position } from '@ponte/event-sourcing';

const TEXT = /^(\d+):(\d+)$/;
/**
 * The value of a position in stream reads of servers before 22.10, and of a checkpoint of a filtered subscription that
 * found nothing in a small log.
 */
const NO_POSITION = 2n ** 64n - 1n;

/** A checkpoint without information: no position, or the beginning of the log. */
export const isNoPosition = ({ commit }: Pick<LogPosition, 'commit'>): boolean =>
  commit >= NO_POSITION || commit === 0n;

/** Positions are byte offsets in the server's log. They increase with gaps, and only the server knows the next one. */
export function toPosition(at: LogPosition | undefined): Position {
  if (!at || at.commit === NO_POSITION)
    throw new Error('the server does not return event positions; EventStoreDB 22.10 or later is required');
  return `${at.commit}:${at.prepare}`;
}

/** The position for the driver. Throws a TypeError for a position of another event store. */
export function fromPosition(position: Position): LogPosition {
  const [, commit, prepare] = TEXT.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) throw new TypeError('this is not a position of EventStoreDB');
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

/** Negative if `a` is before `b`, positive if after, 0 if equal. */
export function comparePositions(a: Position, b: Position): number {
  if (a === b) return 0;
  const [left, right] = [fromPosition(a), fromPosition(b)];
  return Number(left.commit - right.commit) || Number(left.prepare - right.prepare);
}

/** The later of two positions; undefined is the beginning of the log. */
export function laterOf(a: Position | undefined, b: Position | undefined): Position | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return comparePositions(a, b) >= 0 ? a : b;
}

/** Whether a position is at or after another; undefined is the beginning of the log. */
export const isAtLeast = (a: Position | undefined, b: Position | undefined): boolean =>
  b === undefined || (a !== undefined && comparePositions(a, b) >= 0);

/** Number of bytes of the log between two positions. */
export const bytesBetween = (from: Position, to: Position): number =>
  Number(fromPosition(to).commit - fromPosition(from).commit);
