import type { Clock } from '@ponte/kernel';
import { pause } from '@ponte/concurrency';

export const systemClock: Clock = { now: () => Date.now() };

/** First wait after a lost race; it doubles, with jitter, up to the cap. */
const CONFLICT_PAUSE_MS = 1;
const MAX_CONFLICT_PAUSE_MS = 50;

export const afterConflict = (attempt: number): Promise<void> =>
  pause(Math.random() * Math.min(MAX_CONFLICT_PAUSE_MS, CONFLICT_PAUSE_MS * 2 ** attempt));
