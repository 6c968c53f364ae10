import type * as v8 from 'node:v8';
import type * as workerThreads from 'node:worker_threads';

/** The input of the thread. */
export interface PdfSetup {
  /** The paths of qpdf and its WebAssembly. A program that is started from text cannot resolve modules itself. */
  readonly library: string;
  readonly wasm: string;
  readonly file: Uint8Array;
  readonly activeNames: readonly string[];
  /** The memory limit of the parser, in pages of 64 KiB. */
  readonly memoryPages: number;
}

/** `unreadable`: qpdf refused the file, repaired it, or ran out of memory. */
export type PdfVerdict = 'passive' | 'active' | 'unreadable';

interface Qpdf {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void; readFile(path: string): Uint8Array };
  /** Returns the exit code: 0, 3 for warnings, or 2 for errors. */
  callMain(args: readonly string[]): number;
}

/**
 * The program of a thread that reads one PDF. It is started from its own source text, so that it runs the same way from
 * a bundle, in a test and in an image. It must not refer to anything outside the function but types and globals.
 */
export function pdfProgram(load: (name: string) => unknown): void {
  const { parentPort, workerData } = load('node:worker_threads') as typeof workerThreads;
  const { library, wasm, file, activeNames, memoryPages } = workerData as PdfSetup;
  // The flag applies to the whole process, in which nothing else has a WebAssembly memory that grows.
  (load('node:v8') as typeof v8).setFlagsFromString(`--wasm-max-mem-pages=${memoryPages}`);
  const start = load(library) as (options: object) => Promise<Qpdf>;
  const silent = (): void => undefined;
  const read = ({ FS, callMain }: Qpdf): PdfVerdict => {
    FS.writeFile('/file', file);
    // Every object of the file, including those in object streams, with names decoded instead of as written.
    if (callMain(['--json=2', '--json-key=qpdf', '--json-stream-data=none', '/file', '/objects']) !== 0)
      return 'unreadable';
    const bytes = FS.readFile('/objects');
    const objects = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // In qpdf's JSON a name starts with a slash, and a string never does.
    return activeNames.some((name) => objects.includes(`"/${name}"`)) ? 'active' : 'passive';
  };
  start({ locateFile: () => wasm, noInitialRun: true, print: silent, printErr: silent })
    .then(read)
    .catch((): PdfVerdict => 'unreadable')
    .then((verdict) => parentPort?.postMessage(verdict), silent);
}
