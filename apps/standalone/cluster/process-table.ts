import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'processes.json';

/**
 * Which processes a cluster consists of, as `processes.json` of its data folder tells it: pids by the names of replicas
 * (`orders-1`) and of the engines that were started for it (`kafka`, `postgres`, `event-store`). A process that is not
 * listed is not running.
 */
export class ProcessTable {
  private readonly pids = new Map<string, number>();

  constructor(private readonly dataDirectory: string) {}

  runs(name: string, pid: number): void {
    this.pids.set(name, pid);
    this.write();
  }

  ended(name: string): void {
    this.pids.delete(name);
    this.write();
  }

  /** In one step, so that a reader never sees half of it. */
  private write(): void {
    const file = join(this.dataDirectory, FILE);
    writeFileSync(`${file}.new`, `${JSON.stringify(Object.fromEntries(this.pids), null, 2)}\n`);
    renameSync(`${file}.new`, file);
  }
}
