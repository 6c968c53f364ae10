import { event } from '@ponte/event-sourcing';
import type { Timestamp } from '../shared';

/**
 * Stream `livenessSession-<fingerprint>`: an account request named this session of a liveness provider. This stays
 * recorded whatever the outcome of the request.
 */
export class LivenessSessionNamed extends event('LivenessSessionNamed')<{
  sessionFingerprint: string;
  requestId: string;
  /** Sealing subject of the holder of the request. */
  subjectId: string;
  namedAt: Timestamp;
}> {}

export type LivenessSessionEvent = LivenessSessionNamed;
