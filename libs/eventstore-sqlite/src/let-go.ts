import { isDamage } from './log/log-damage';
import type { OwnedFile } from './owner';

/** Releases a file. Ignores errors caused by damage, which has been reported already. */
export function letGo(owned: OwnedFile): void {
  try {
    owned.release();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}
