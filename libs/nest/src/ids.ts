import { randomFillSync } from 'node:crypto';
import type { Clock, Ids } from '@ponte/kernel';
import { uuidV7 } from '@ponte/kernel';

const ID_BYTES = 16;
/** One call to the system's generator for so many ids: it costs more than the ids themselves. */
const IDS_PER_REFILL = 256;

/** UUIDv7 from the clock and the system's random generator. */
export function createIds(clock: Clock): Ids {
  const pool = Buffer.alloc(ID_BYTES * IDS_PER_REFILL);
  let used = pool.length;
  return {
    next() {
      if (used === pool.length) {
        randomFillSync(pool);
        used = 0;
      }
      used += ID_BYTES;
      return uuidV7(clock.now(), pool.subarray(used - ID_BYTES, used));
    },
  };
}
