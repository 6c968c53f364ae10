import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from '@ponte/kernel';
import { RANDOM_DIGITS, uuidV7 } from '@ponte/kernel';

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
