import type { JSONEventData, JSONType, RecordedEvent } from '@eventstore/db-client';
import { jsonEvent } from '@eventstore/db-client';
import type { EventMeta, EventToAppend, Recorded } from '@ponte/event-sourcing';
import { ForeignEvent } from './foreign-event';
import { toPosition } from './position';

/** An event's metadata in the store. The server's own projections link events by the names with `$`. */
interface Metadata extends Omit<EventMeta, 'correlationId' | 'causationId'> {
  readonly version: number;
  readonly $correlationId: string;
  readonly $causationId?: string;
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** The largest request that the server receives. If an operator has configured less, the server refuses the append. */
const MAX_REQUEST_BYTES = 16 * 1_024 * 1_024;

/**
 * Copied at once, so that the caller may change its objects. Throws a `TypeError` for data that JSON cannot represent,
 * and for input that the server would refuse without a reason: an id that is not a UUID, an event without a type, a
 * stream without a name. Throws a `RangeError` above 16 MiB.
 */
export function toWire(stream: string, events: readonly EventToAppend[]): JSONEventData[] {
  if (stream === '') throw new TypeError('an append needs a stream name');
  let bytes = 0;
  const written = events.map(({ id, type, version, data, meta }) => {
    if (!UUID.test(id)) throw new TypeError(`the id of an event of ${stream} is not a UUID`);
    if (type === '' || type.startsWith('$'))
      throw new TypeError(`an event of ${stream} has no type, or a type reserved by EventStoreDB`);
    const { correlationId, causationId, ...rest } = meta;
    const metadata: Metadata = { version, ...rest, $correlationId: correlationId, $causationId: causationId };
    const texts = [JSON.stringify(data), JSON.stringify(metadata)] as const;
    bytes += Buffer.byteLength(texts[0]) + Buffer.byteLength(texts[1]) + Buffer.byteLength(type);
    return jsonEvent({
      id,
      type,
      data: JSON.parse(texts[0]) as JSONType,
      metadata: JSON.parse(texts[1]) as Record<string, JSONType>,
    }) as JSONEventData;
  });
  if (bytes > MAX_REQUEST_BYTES)
    throw new RangeError(`the append to ${stream} is larger than the event store accepts (${bytes} bytes)`);
  return written;
}

/** Throws {@link ForeignEvent} if the event was not written by this adapter. */
export function toRecorded(event: RecordedEvent): Recorded {
  const { id, type, streamId: stream, revision, data, position } = event;
  const metadata: unknown = event.metadata;
  if (!event.isJson || !isMetadata(metadata)) throw new ForeignEvent(stream, String(revision), id);
  const { version, $correlationId, $causationId, ...rest } = metadata;
  const meta: EventMeta = {
    ...rest,
    correlationId: $correlationId,
    ...($causationId !== undefined && { causationId: $causationId }),
  };
  return {
    id,
    stream,
    revision: Number(revision),
    position: toPosition(position),
    type,
    version,
    data: data as object,
    meta,
  };
}

const isMetadata = (value: unknown): value is Metadata =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  'commandId' in value &&
  '$correlationId' in value;
