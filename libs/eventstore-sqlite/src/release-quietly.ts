import { isDiskFailure } from '@ponte/event-sourcing';
import { sqliteCode } from './database';
import { isDamage } from './log/log-damage';
import type { OwnedFile } from './owner';

/** Releases a file. Ignores errors caused by damage, which has been reported already, or by a full disk. */
export function releaseQuietly(owned: OwnedFile): void {
  try {
    owned.release();
  } catch (error) {
    if (!isDamage(error) && !isFullDisk(error)) throw error;
  }
}

/**
 * Makes the release of a file succeed on a disk that is full or cannot be written, and reports the error. Everything
 * that was committed is then in the write-ahead log, which the next open reads. The lock is held until the process
 * ends.
 */
export const releasedOnFullDisk = (owned: OwnedFile, report?: (error: unknown) => void): OwnedFile => ({
  db: owned.db,
  release() {
    try {
      owned.release();
    } catch (error) {
      if (!isFullDisk(error)) throw error;
      report?.(error);
    }
  },
});

/** False for a busy file, because no other connection may have the file open. */
const isFullDisk = (error: unknown): boolean => isDiskFailure(error) && !/BUSY|LOCKED/.test(sqliteCode(error));
