import type { RecordedEvent } from '@eventstore/db-client';
import type { EventMeta, EventToAppend, Recorded } from '@ponte/event-sourcing';
import type { EventOnWire } from './append-wire';
import { toPosition } from './position';

/** An event's metadata in the store. The names with `$` are those by which its own projections link events. */
interface Metadata extends Omit<EventMeta, 'correlationId' | 'causationId'> {
  readonly version: number;
  readonly $correlationId: string;
  readonly $causationId?: string;
}

/** Taken down at once, so that the caller may go on with its objects. What JSON cannot say throws `TypeError`. */
export function toWire({ id, type, version, data, meta }: EventToAppend): EventOnWire {
  const { correlationId, causationId, ...rest } = meta;
  const metadata: Metadata = { version, ...rest, $correlationId: correlationId, $causationId: causationId };
  return { id, type, data: Buffer.from(JSON.stringify(data)), metadata: Buffer.from(JSON.stringify(metadata)) };
}

/** Throws when the event was not written by an adapter like this one. */
export function toRecorded(event: RecordedEvent): Recorded {
  const { id, type, streamId: stream, revision, data, position } = event;
  const metadata: unknown = event.metadata;
  if (!event.isJson || !isMetadata(metadata)) throw new Error(`event ${id} of ${stream} was not written by this system`);
  const { version, $correlationId, $causationId, ...rest } = metadata;
  const meta: EventMeta = { ...rest, correlationId: $correlationId, ...($causationId !== undefined && { causationId: $causationId }) };
  return { id, stream, revision: Number(revision), position: toPosition(position), type, version, data: data as object, meta };
}

const isMetadata = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && 'version' in value && 'commandId' in value && '$correlationId' in value;
