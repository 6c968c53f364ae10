import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SmallDisk } from '@ponte/testing';
import { openSmallDisk } from '@ponte/testing';
import type { Running } from '../../e2e/testing/program';
import type { Disturbance } from './kills';
import { processesOf } from './kills';

const DISK_BYTES = 320 * 2 ** 20;
/** How long a disk stays full. */
const FULL_MS = 15_000;

/** Gives engines of a cluster small disks of their own, and fills them. */
export class FullDisks implements Disturbance {
  readonly done = 'without space';
  private readonly disks = new Map<string, SmallDisk>();

  /** False where the test may not mount a disk. Call before the cluster starts. */
  mount(dataDirectory: string, engines: readonly string[]): boolean {
    for (const engine of engines) {
      const disk = openSmallDisk(DISK_BYTES);
      if (!disk) return false;
      symlinkSync(disk.path, join(dataDirectory, engine));
      this.disks.set(engine, disk);
    }
    return true;
  }

  async carryOut(running: Running, victim: string): Promise<() => boolean> {
    const disk = this.disks.get(victim);
    if (!disk) throw new Error(`${victim} has no disk of its own`);
    disk.fill();
    await wait(FULL_MS);
    disk.free();
    return () => processesOf(running)[victim] !== undefined;
  }

  remove(): void {
    for (const disk of this.disks.values()) disk.remove();
  }
}
