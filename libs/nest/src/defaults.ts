import type { Clock } from '@ponte/kernel';
import { pause } from '@ponte/concurrency';

export const systemClock: Clock = { now: () => Date.now() };

/** The first pause after a conflict. It doubles with each attempt, with jitter, up to the maximum. */
const CONFLICT_PAUSE_MS = 1;
const MAX_CONFLICT_PAUSE_MS = 50;

export const afterConflict = (attempt: number): Promise<void> =>
  pause(Math.random() * Math.min(MAX_CONFLICT_PAUSE_MS, CONFLICT_PAUSE_MS * 2 ** attempt));
