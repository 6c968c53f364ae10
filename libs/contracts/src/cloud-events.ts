import type { ServiceName } from './services';

/**
 * A message on a topic for other systems: CloudEvents 1.0 in structured mode. That standard requires lower-case
 * attribute names.
 */
export interface CloudEvent<D extends object = object> {
  readonly specversion: '1.0';
  /** Id of the event. A redelivery has the same id, so a consumer can ignore ids that it has handled. */
  readonly id: string;
  /** The service that published the event: `/ponte/<service>`. */
  readonly source: string;
  readonly type: string;
  /** The stream of the event on `<service>.events`; the id of the account request on `compliance.reviews`. */
  readonly subject: string;
  /** When the event occurred, in business time. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /**
   * Position of the event in its stream, from 0. An event whose revision is not above the last one handled for its
   * `subject` is a redelivery.
   */
  readonly revision: number;
  readonly data: D;
}

/** A stored event with all its data and metadata, as published on `<service>.events`. */
export interface StoredCloudEvent extends CloudEvent {
  /** Position of the event in the whole log. Opaque: it can be compared and stored, not computed. */
  readonly position: string;
  /** Version of the event's data. */
  readonly typeversion: number;
  readonly commandid: string;
  /** Index of the event among the events of its command, from 0; `count` is their number. */
  readonly index: number;
  readonly count: number;
  readonly correlationid: string;
  readonly causationid?: string;
  /** Who caused the event: an API key id, a staff id or the name of a policy. */
  readonly actor?: string;
  /** W3C Trace Context of the span that led to the event; absent if the request was not traced. */
  readonly traceparent?: string;
}

export const sourceOf = (service: ServiceName): string => `/ponte/${service}`;
