import type * as v8 from 'node:v8';
import type * as workerThreads from 'node:worker_threads';

/** What the thread is started with. */
export interface PdfSetup {
  /** Where qpdf and its WebAssembly lie: what is started from text resolves nothing by itself. */
  readonly library: string;
  readonly wasm: string;
  readonly file: Uint8Array;
  readonly activeNames: readonly string[];
  /** Pages of 64 KiB that the parser may use. */
  readonly memoryPages: number;
}

/** `unreadable`: qpdf has refused the file, repaired it, or run out of memory. */
export type PdfVerdict = 'passive' | 'active' | 'unreadable';

interface Qpdf {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void; readFile(path: string): Uint8Array };
  /** The exit code: 0, or 3 where there were warnings, or 2. */
  callMain(args: readonly string[]): number;
}

/**
 * The program of a thread that reads one PDF. It is started from its own text, so that it runs alike from a bundle,
 * under a test and in an image: nothing outside of the function may be named in it but types and globals.
 */
export function pdfProgram(load: (name: string) => unknown): void {
  const { parentPort, workerData } = load('node:worker_threads') as typeof workerThreads;
  const { library, wasm, file, activeNames, memoryPages } = workerData as PdfSetup;
  // Of the whole process, in which nothing else has a WebAssembly memory that grows.
  (load('node:v8') as typeof v8).setFlagsFromString(`--wasm-max-mem-pages=${memoryPages}`);
  const start = load(library) as (options: object) => Promise<Qpdf>;
  const silent = (): void => undefined;
  const read = ({ FS, callMain }: Qpdf): PdfVerdict => {
    FS.writeFile('/file', file);
    // Every object of the file, those in object streams too, with all names as they are meant and not as they are
    // spelt.
    if (callMain(['--json=2', '--json-key=qpdf', '--json-stream-data=none', '/file', '/objects']) !== 0)
      return 'unreadable';
    const bytes = FS.readFile('/objects');
    const objects = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // In qpdf's JSON a name begins with a slash, and a text never does.
    return activeNames.some((name) => objects.includes(`"/${name}"`)) ? 'active' : 'passive';
  };
  start({ locateFile: () => wasm, noInitialRun: true, print: silent, printErr: silent })
    .then(read)
    .catch((): PdfVerdict => 'unreadable')
    .then((verdict) => parentPort?.postMessage(verdict), silent);
}
