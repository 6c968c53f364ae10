import { isDamage } from './log/log-damage';
import type { OwnedFile } from './owner';

/** A damaged file may not be closed in order either; what is wrong with it has been said. */
export function letGo(owned: OwnedFile): void {
  try {
    owned.release();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}
