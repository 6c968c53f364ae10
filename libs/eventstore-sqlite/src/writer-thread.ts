import type * as workerThreads from 'node:worker_threads';
import { Worker } from 'node:worker_threads';
import { BUSY_MS } from './database';
import type { Outcome, Step, WritingConnection } from './transactions';
import { transactions } from './transactions';

/** Called once for each transaction. */
export type Written = (outcome: Outcome) => void;

/** A thread that writes transactions to one file, in the order of the calls. */
export interface WriterThread {
  write(steps: readonly Step[], written: Written): void;
  /** Transactions already passed to the thread are written and answered first. */
  close(): Promise<void>;
}

/**
 * Starts the thread without waiting for it. It keeps the process alive only while a transaction is in progress. If the
 * thread ends by itself, pending and later transactions get the outcome of a failed commit.
 */
export function startWriterThread(setup: Pick<WriterSetup, 'file' | 'pragmas' | 'apart'>): WriterThread {
  const workerData: WriterSetup = { driver: require.resolve('libsql'), busyMs: BUSY_MS, ...setup };
  const worker = new Worker(`(${writerProgram.toString()})(require, ${transactions.toString()})`, {
    eval: true,
    workerData,
  });
  worker.unref();
  const waiting: Written[] = [];
  let gone: Outcome | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string): void => {
      gone ??= { message: reason, code: '', committing: true, stuck: false };
      for (const written of waiting.splice(0)) written(gone);
      resolve();
    };
    worker.on('error', (error: Error) => end(`the writer thread failed: ${error.message}`));
    worker.on('exit', (code) => end(`the writer thread ended with ${code}`));
  });
  worker.on('message', (outcome: Outcome) => {
    const written = waiting.shift();
    if (waiting.length === 0) worker.unref();
    written?.(outcome);
  });
  return {
    write(steps, written) {
      if (gone) return written(gone);
      // A parameter that cannot be sent to a thread throws. Nothing was sent then, and no caller waits for an answer.
      worker.postMessage(steps);
      if (waiting.length === 0) worker.ref();
      waiting.push(written);
    },
    async close() {
      worker.ref();
      worker.postMessage(null);
      await ended;
      await worker.terminate();
    },
  };
}

interface WriterSetup {
  /** Path of the driver: a program started from text cannot resolve modules. */
  readonly driver: string;
  readonly file: string;
  /** Milliseconds that a statement waits while another process locks the file. */
  readonly busyMs: number;
  /** Run once, in order. */
  readonly pragmas: readonly string[];
  /** See `transactions`. */
  readonly apart: boolean;
}

/**
 * The program of a thread that writes to one SQLite file over its own connection. A message is a list of {@link Step},
 * run as one transaction; the answer is its `Outcome`. The message `null` closes the file and ends the thread.
 *
 * It is started from its own source text, so that it runs the same way in a bundle, a test and an image. It must not
 * refer to anything outside of itself except types and globals.
 */
function writerProgram(load: (name: string) => unknown, carryingOut: typeof transactions): void {
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
