import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder';

/** A disk of its own for one test. */
export interface SmallDisk {
  readonly path: string;
  /** Uses all free space. */
  fill(): void;
  /** Frees what {@link fill} used. */
  free(): void;
  remove(): void;
}

/** The sizes of writes that fill a disk to its last byte. */
const CHUNKS = [1 << 20, 1 << 12, 1];

/** Mounts a small disk in memory. Undefined where the test may not mount one, which only an administrator may. */
export function openSmallDisk(bytes: number): SmallDisk | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder.path], { stdio: 'ignore' });
  } catch {
    folder.remove();
    return undefined;
  }
  const ballast = join(folder.path, 'ballast');
  return {
    path: folder.path,
    fill: () => {
      for (const size of CHUNKS) fillBy(ballast, Buffer.alloc(size));
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      // Lazily: a file may still be open for a moment.
      execFileSync('umount', ['--lazy', folder.path], { stdio: 'ignore' });
      folder.remove();
    },
  };
}

/** Appends to the file until the disk is full. */
function fillBy(file: string, chunk: Buffer): void {
  for (;;) {
    try {
      writeFileSync(file, chunk, { flag: 'a' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      return;
    }
  }
}
