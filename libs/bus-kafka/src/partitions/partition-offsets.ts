import type { Kafka } from 'kafkajs';
import type { EngineLogger, Position } from '@ponte/event-sourcing';
import { assertWithinLog, PositionBeyondLog, safeError } from '@ponte/event-sourcing';
import { pause, retry } from '@ponte/concurrency';
import { isAfter, laterOf } from './published-log';
import type { LogEnd, PublishedLog } from './published-log';
import { administer } from './topics';

/** An offset in a partition, with the position in the log up to which its events are before it. */
export interface PartitionOffset {
  /** The offset of the next message. */
  readonly offset: bigint;
  /**
   * The greatest log position among the messages before it. A relay publishes in the order of the log, so every event
   * of the partition up to this position is before the offset. Undefined if unknown.
   */
  readonly position: Position | undefined;
}

/** Offsets by topic and partition. */
export type PartitionOffsets = ReadonlyMap<string, PartitionOffset>;
export const partitionKey = (topic: string, partition: number): string => `${topic} ${partition}`;

/** The patience is short: without the offsets, lost events may go unnoticed, but events wait for them. */
const PATIENCE_MS = 10_000;

/** The committed offsets of a group. Their log positions are in the metadata. */
export const committedOffsets = (
  client: Kafka,
  groupId: string,
  topics: readonly string[],
): Promise<PartitionOffsets> =>
  retry(
    () =>
      administer(client, async (admin) => {
        const committed = await admin.fetchOffsets({ groupId, topics: [...topics] });
        return new Map(
          committed.flatMap(({ topic, partitions }) =>
            partitions
              .filter(({ offset }) => BigInt(offset) >= 0n)
              .map(({ partition, offset, metadata }): [string, PartitionOffset] => [
                partitionKey(topic, partition),
                { offset: BigInt(offset), position: metadata || undefined },
              ]),
          ),
        );
      }),
    { patienceMs: PATIENCE_MS, ref: false },
  );

/** How long a lagging node of the log has before its end is read again. */
const LAGGING_MS = 1_000;

/**
 * Positions beyond the end of the log count as that end. They are of a time that a restore undid, and the log will have
 * other events there: if their offsets counted, those would pass as received, and their loss would not be noticed.
 */
export async function clampedToLog(
  log: PublishedLog & LogEnd,
  logger: EngineLogger,
  group: string,
  offsets: PartitionOffsets,
  patienceMs = PATIENCE_MS,
): Promise<PartitionOffsets> {
  try {
    const beyond = await retry(() => latestBeyondLog(log, offsets), { patienceMs, ref: false });
    if (!beyond) return offsets;
    const { position: latest, head } = beyond;
    logger.error(
      { group, position: latest, end: head ?? 'empty' },
      'the committed position of a group is beyond the end of the log: the log was restored or has lost events. If ' +
        'it was restored, set back its readers (docs/operations/backup-and-restore.md)',
    );
    const isBeyond = ({ position }: PartitionOffset): boolean =>
      position !== undefined && (head === undefined || isAfter(log, position, head));
    return new Map([...offsets].map(([key, one]) => [key, isBeyond(one) ? { ...one, position: head } : one]));
  } catch (error) {
    logger.warn(
      { group, error: safeError(error) },
      'the end of the log could not be read; if the log was restored, events that are lost may go unnoticed',
    );
    return offsets;
  }
}

/** The latest position beyond the end of the log, and that end. Undefined if all are within the log. */
async function latestBeyondLog(
  log: PublishedLog & LogEnd,
  offsets: PartitionOffsets,
): Promise<{ readonly position: Position; readonly head: Position | undefined } | undefined> {
  const head = await log.head();
  const position = [...offsets.values()]
    .flatMap((one) => one.position ?? [])
    .filter((one) => head === undefined || isAfter(log, one, head))
    .reduce<Position | undefined>((all, one) => laterOf(log, all, one), undefined);
  if (position === undefined) return undefined;
  try {
    await assertWithinLog(log, position, () => pause(LAGGING_MS, undefined, { ref: false }));
    return undefined;
  } catch (error) {
    if (error instanceof PositionBeyondLog) return { position, head: error.head };
    throw error;
  }
}
