import type * as workerThreads from 'node:worker_threads';
import type { Step, transactions, WritingConnection } from './transactions';

/** What a thread that writes is started with. */
export interface WriterSetup {
  /** Where the driver lies: what is started from text resolves nothing by itself. */
  readonly driver: string;
  readonly file: string;
  /** Milliseconds that a statement waits for another process. */
  readonly busyMs: number;
  /** Run once, one after the other. */
  readonly pragmas: readonly string[];
  /** As of `transactions`. */
  readonly apart: boolean;
}

/**
 * The program of a thread that writes to one SQLite file over a connection of its own. A message is one transaction, a
 * list of {@link Step}; the answer is its `Outcome`. `null` as a message closes the file and ends the thread.
 *
 * It is started from its own text, so that it runs alike from a bundle, under a test and in an image: nothing outside
 * of the function may be named in it but types and globals.
 */
export function writerProgram(load: (name: string) => unknown, carryingOut: typeof transactions): void {
  const { parentPort: port, workerData } = load('node:worker_threads') as typeof workerThreads;
  const { driver, file, busyMs, pragmas, apart } = workerData as WriterSetup;
  const Driver = load(driver) as new (file: string, options: object) => WritingConnection & { close(): void };
  const db = new Driver(file, { timeout: busyMs });
  for (const pragma of pragmas) db.exec(pragma);
  const carryOut = carryingOut(db, apart);
  port?.on('message', (steps: readonly Step[] | null) => {
    if (steps) return port.postMessage(carryOut(steps));
    db.close();
    port.close();
  });
}
