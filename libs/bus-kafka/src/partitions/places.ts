import type { Kafka } from 'kafkajs';
import type { Position } from '@ponte/event-sourcing';
import { retry } from '@ponte/concurrency';
import { administer } from './topics';

/** A place in a partition. */
export interface Place {
  /** The offset of the next message. */
  readonly offset: bigint;
  /**
   * The greatest log position among the messages before it. A relay publishes in the order of the log, so every event
   * of the partition up to this position is before the place. Undefined if unknown.
   */
  readonly position: Position | undefined;
}

/** Places by topic and partition. */
export type Places = ReadonlyMap<string, Place>;
export const placeKey = (topic: string, partition: number): string => `${topic} ${partition}`;

/** The patience is short: without the places, lost events may go unnoticed, but events wait for them. */
const PATIENCE_MS = 10_000;

/** The committed places of a group. Their log positions are in the metadata of the committed offsets. */
export const committedPlaces = (client: Kafka, groupId: string, topics: readonly string[]): Promise<Places> =>
  retry(
    () =>
      administer(client, async (admin) => {
        const committed = await admin.fetchOffsets({ groupId, topics: [...topics] });
        return new Map(
          committed.flatMap(({ topic, partitions }) =>
            partitions
              .filter(({ offset }) => BigInt(offset) >= 0n)
              .map(({ partition, offset, metadata }): [string, Place] => [
                placeKey(topic, partition),
                { offset: BigInt(offset), position: metadata || undefined },
              ]),
          ),
        );
      }),
    { patienceMs: PATIENCE_MS, ref: false },
  );
