import type { EventMeta, Recorded } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';

/** A message is not one of our events. The error message names the invalid member and quotes no value. */
export class NotAnEvent extends Error {
  override readonly name = 'NotAnEvent';
}

/** Members of the envelope that are not metadata of the event. */
const OWN = new Set([
  'specversion',
  'id',
  'source',
  'type',
  'subject',
  'time',
  'datacontenttype',
  'data',
  'revision',
  'position',
  'typeversion',
]);
/** CloudEvents attribute names are lower case. This maps them to metadata names that are not. */
const CAMEL: Readonly<Record<string, keyof EventMeta>> = {
  commandid: 'commandId',
  correlationid: 'correlationId',
  causationid: 'causationId',
};

export const CONTENT_TYPE = 'application/cloudevents+json; charset=UTF-8';

/**
 * Serializes a stored event as a CloudEvent 1.0 in structured mode. `subject` is the stream, `source` the service;
 * revision, position, typeversion and the metadata (commandid, index, count, correlationid, causationid, actor) are
 * extensions.
 */
export function toEnvelope(service: string, event: Recorded): string {
  const { occurredAt, ...meta } = event.meta;
  const extensions = Object.fromEntries(Object.entries(meta).map(([name, value]) => [name.toLowerCase(), value]));
  return JSON.stringify({
    specversion: '1.0',
    id: event.id,
    source: `/ponte/${service}`,
    type: event.type,
    subject: event.stream,
    time: occurredAt,
    datacontenttype: 'application/json',
    revision: event.revision,
    position: event.position,
    typeversion: event.version,
    ...extensions,
    data: event.data,
  });
}

/** Parses the result of {@link toEnvelope}. Throws {@link NotAnEvent} for anything else. */
export function fromEnvelope(value: Buffer | null): Recorded {
  const envelope = parse(value);
  const text = (name: string): string => {
    const member = envelope[name];
    if (typeof member !== 'string' || member === '') throw new NotAnEvent(`${name} must be a string`);
    return member;
  };
  const count = (name: string): number => {
    const member = envelope[name];
    if (typeof member !== 'number' || !Number.isSafeInteger(member) || member < 0)
      throw new NotAnEvent(`${name} must be a whole number of 0 or more`);
    return member;
  };
  if (text('specversion') !== '1.0') throw new NotAnEvent('specversion must be 1.0');
  const stream = text('subject');
  if (categoryOf(stream) === '') throw new NotAnEvent('subject must be a stream name');
  const data = envelope['data'];
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new NotAnEvent('data must be an object');
  const others = Object.entries(envelope)
    .filter(([name]) => !OWN.has(name))
    .map(([name, member]) => [CAMEL[name] ?? name, member]);
  const meta = {
    ...(Object.fromEntries(others) as object),
    commandId: text('commandid'),
    index: count('index'),
    count: count('count'),
    occurredAt: text('time'),
    correlationId: text('correlationid'),
  };
  return {
    id: text('id'),
    stream,
    revision: count('revision'),
    position: text('position'),
    type: text('type'),
    version: count('typeversion'),
    data,
    meta,
  };
}

function parse(value: Buffer | null): Record<string, unknown> {
  if (value === null) throw new NotAnEvent('the message has no value');
  let parsed: unknown;
  try {
    parsed = JSON.parse(value.toString('utf8'));
  } catch {
    throw new NotAnEvent('the value is not JSON');
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new NotAnEvent('the value is not a JSON object');
  return parsed as Record<string, unknown>;
}
