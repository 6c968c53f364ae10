import type * as v8 from 'node:v8';
import type * as workerThreads from 'node:worker_threads';
import type { ObjectsResult, PdfRules } from '../pdf-objects.domain';

/** The input of the thread. */
export interface PdfSetup {
  /** The paths of qpdf and its WebAssembly. A program that is started from text cannot resolve modules itself. */
  readonly library: string;
  readonly wasm: string;
  readonly file: Uint8Array;
  readonly rules: PdfRules;
  /** The memory limit of the parser, in pages of 64 KiB. */
  readonly memoryPages: number;
}

/** `locked`: it opens with a password only. `unreadable`: qpdf refused the file, repaired it, or ran out of memory. */
export type PdfResult = ObjectsResult | 'locked';

interface Qpdf {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void; readFile(path: string): Uint8Array };
  /** Returns the exit code: 0, 3 for warnings, or 2 for errors. */
  callMain(args: readonly string[]): number;
}

/**
 * The program of a thread that reads one PDF. It is started from its own source text, so that it runs the same way from
 * a bundle, in a test and in an image. It must not refer to anything outside the function but types and globals.
 */
export function pdfProgram(
  load: (name: string) => unknown,
  judge: (objects: Buffer, rules: PdfRules) => ObjectsResult,
): void {
  const { parentPort, workerData } = load('node:worker_threads') as typeof workerThreads;
  const { library, wasm, file, rules, memoryPages } = workerData as PdfSetup;
  // The flag applies to the whole process, in which nothing else has a WebAssembly memory that grows.
  (load('node:v8') as typeof v8).setFlagsFromString(`--wasm-max-mem-pages=${memoryPages}`);
  const start = load(library) as (options: object) => Promise<Qpdf>;
  const silent = (): void => undefined;
  // This build of qpdf reports a missing password only in this text, and its output only goes to the thread's console.
  let isLocked = false;
  globalThis.console.error = (line: unknown): void => {
    isLocked ||= String(line).endsWith(': /file: invalid password');
  };
  const read = ({ FS, callMain }: Qpdf): PdfResult => {
    FS.writeFile('/file', file);
    // Every object of the file, including those in object streams, with names decoded instead of as written.
    if (callMain(['--json=2', '--json-key=qpdf', '--json-stream-data=none', '/file', '/objects']) !== 0)
      return isLocked ? 'locked' : 'unreadable';
    const bytes = FS.readFile('/objects');
    return judge(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), rules);
  };
  start({ locateFile: () => wasm, noInitialRun: true })
    .then(read)
    .catch((): PdfResult => 'unreadable')
    .then((result) => parentPort?.postMessage(result), silent);
}
