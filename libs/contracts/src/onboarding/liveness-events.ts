import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';

/**
 * Stream `livenessSession-<fingerprint>`: which requests named a session at a liveness provider, and whose they are. It
 * is for ever, whatever becomes of them.
 */
export class LivenessSessionNamed extends event('LivenessSessionNamed')<{
  sessionFingerprint: string;
  requestId: string;
  /** The holder of the request. */
  subjectId: string;
  namedAt: Timestamp;
}> {}

export type LivenessSessionEvent = LivenessSessionNamed;
