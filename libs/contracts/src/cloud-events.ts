import type { ServiceName } from './services';

/**
 * What stands on a topic for others: CloudEvents 1.0 in structured mode. Names of attributes are lower-case by that
 * standard.
 */
export interface CloudEvent<D extends object = object> {
  readonly specversion: '1.0';
  /** The same on every repetition: a receiver that has seen it drops it. */
  readonly id: string;
  /** `/ponte/<service>`. */
  readonly source: string;
  readonly type: string;
  /** What it is about: a stream on `<service>.events`, a request's id on `compliance.reviews`. */
  readonly subject: string;
  /** Business time of the decision. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** Counts from 0 within the stream: what comes at or below one that was seen is a repetition. */
  readonly revision: number;
  readonly data: D;
}

/** A stored event as it is: `<service>.events` carries nothing that the log does not, and loses nothing of it. */
export interface StoredCloudEvent extends CloudEvent {
  /** Opaque place in the log. */
  readonly position: string;
  /** Version of the event's data. */
  readonly typeversion: number;
  readonly commandid: string;
  /** Place of the event among those of its command, from 0, and how many there were. */
  readonly index: number;
  readonly count: number;
  readonly correlationid: string;
  readonly causationid?: string;
  /** An API key id, a staff id or the name of a policy. */
  readonly actor?: string;
  /** W3C Trace Context: the span that led here. Absent where nothing was traced. */
  readonly traceparent?: string;
}

export const sourceOf = (service: ServiceName): string => `/ponte/${service}`;
