import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'processes.json';

/**
 * The running processes of a cluster, written to `processes.json` in its data folder: pids by the names of replicas
 * (`orders-1`) and of the engines started for it (`kafka`, `postgres`, `event-store`). A process that is not listed is
 * not running.
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

  /** Writes by rename, so that a reader never sees a partial file. */
  private write(): void {
    const file = join(this.dataDirectory, FILE);
    writeFileSync(`${file}.new`, `${JSON.stringify(Object.fromEntries(this.pids), null, 2)}\n`);
    renameSync(`${file}.new`, file);
  }
}
