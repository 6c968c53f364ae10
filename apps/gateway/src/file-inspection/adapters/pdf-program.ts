import type * as v8 from 'node:v8';
import type * as workerThreads from 'node:worker_threads';
import type { contentStreams, judgeInlineImages } from '../pdf-contents.domain';
import type { ObjectsResult, PdfRules, judgeObjects } from '../pdf-objects.domain';

/** The input of the thread. */
export interface PdfSetup {
  /** The paths of qpdf and its WebAssembly. A program that is started from text cannot resolve modules itself. */
  readonly library: string;
  readonly wasm: string;
  readonly file: Uint8Array;
  readonly rules: PdfRules;
  /** The memory limit of the parser, in pages of 64 KiB. */
  readonly memoryPages: number;
  /** The most bytes of decoded streams that are not pictures, in base 64. */
  readonly maxContentBytes: number;
}

/**
 * `locked`: it opens with a password only. `limits`: qpdf ran out of memory, or the contents are too large.
 * `unreadable`: qpdf refused the file, or repaired it.
 */
export type PdfResult = ObjectsResult | 'locked' | 'limits';

interface Qpdf {
  readonly FS: {
    writeFile(path: string, content: Uint8Array | string): void;
    readFile(path: string): Uint8Array;
    write(stream: unknown, bytes: unknown, offset: number, length: number, ...more: readonly unknown[]): number;
  };
  /** Returns the exit code: 0, 3 for warnings, or 2 for errors. */
  callMain(args: readonly string[]): number;
}

/**
 * The program of a thread that reads one PDF. It is started from its own source text, so that it runs the same way from
 * a bundle, in a test and in an image. It must not refer to anything outside the function but types and globals.
 */
export function pdfProgram(
  load: (name: string) => unknown,
  judge: typeof judgeObjects,
  contentsOf: typeof contentStreams,
  judgeContents: typeof judgeInlineImages,
): void {
  const { parentPort, workerData } = load('node:worker_threads') as typeof workerThreads;
  const { library, wasm, file, rules, memoryPages, maxContentBytes } = workerData as PdfSetup;
  // The flag applies to the whole process, in which nothing else has a WebAssembly memory that grows.
  (load('node:v8') as typeof v8).setFlagsFromString(`--wasm-max-mem-pages=${memoryPages}`);
  const start = load(library) as (options: object) => Promise<Qpdf>;
  const silent = (): void => undefined;
  let failure: PdfResult = 'unreadable';
  // This build of qpdf reports the reason only in this text, and its output only goes to the thread's console.
  globalThis.console.error = (line: unknown): void => {
    if (String(line).endsWith(': /file: invalid password')) failure = 'locked';
    if (String(line).endsWith(': std::bad_alloc')) failure = 'limits';
  };
  const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
    Buffer.from(buffer, byteOffset, byteLength);
  const read = ({ FS, callMain }: Qpdf): PdfResult => {
    FS.writeFile('/file', file);
    // Every object of the file, including those in object streams, with names decoded instead of as written.
    if (callMain(['--json=2', '--json-key=qpdf', '--json-stream-data=none', '/file', '/objects']) !== 0) return failure;
    const objects = bufferOf(FS.readFile('/objects'));
    const result = judge(objects, rules);
    const contents = result === 'passive' ? contentsOf(objects) : [];
    return contents.length === 0 ? result : readContents({ FS, callMain }, contents);
  };
  /** Looks for images in the decoded streams. A small file may hold gigabytes, so what is written is limited. */
  const readContents = ({ FS, callMain }: Qpdf, contents: readonly string[]): PdfResult => {
    const options = ['--json=2', '--json-key=qpdf', '--json-stream-data=inline', '--decode-level=specialized'];
    // In a file, because the stack of the parser has no room for so many.
    FS.writeFile('/options', [...options, ...contents.map((number) => `--json-object=${number}`)].join('\n'));
    const { write } = FS;
    let left = maxContentBytes;
    FS.write = (stream, bytes, offset, length, ...more) => {
      left -= length;
      if (left < 0) {
        failure = 'limits';
        throw new Error('the contents are too large');
      }
      return write.call(FS, stream, bytes, offset, length, ...more);
    };
    if (callMain(['@/options', '/file', '/contents']) !== 0) return failure;
    return judgeContents(bufferOf(FS.readFile('/contents')), rules);
  };
  start({ locateFile: () => wasm, noInitialRun: true })
    .then(read)
    .catch(() => failure)
    .then((result) => parentPort?.postMessage(result), silent);
}
