import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from '@ponte/kernel';
import { RANDOM_DIGITS, uuidV7 } from '@ponte/kernel';
import { pause } from '@ponte/concurrency';

export const systemClock: Clock = { now: () => Date.now() };

/** The first pause after a conflict. It doubles with each attempt, with jitter, up to the maximum. */
const CONFLICT_PAUSE_MS = 1;
const MAX_CONFLICT_PAUSE_MS = 50;

export const afterConflict = (attempt: number): Promise<void> =>
  pause(Math.random() * Math.min(MAX_CONFLICT_PAUSE_MS, CONFLICT_PAUSE_MS * 2 ** attempt));

/** Ids per call to the system's random generator: the call costs more than the ids themselves. */
const IDS_PER_REFILL = 256;
const REFILL_BYTES = (RANDOM_DIGITS * IDS_PER_REFILL) / 2;

/** UUIDv7 from the clock and the system's random generator. */
export function createIds(clock: Clock): Ids {
  let pool = '';
  let used = 0;
  return {
    next() {
      if (used === pool.length) {
        pool = randomBytes(REFILL_BYTES).toString('hex');
        used = 0;
      }
      used += RANDOM_DIGITS;
      return uuidV7(clock.now(), pool.slice(used - RANDOM_DIGITS, used));
    },
  };
}
