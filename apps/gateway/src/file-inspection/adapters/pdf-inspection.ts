import { Worker } from 'node:worker_threads';
import { Unavailable } from '@ponte/kernel';
import { ACTIVE_NAMES } from '../active-names.domain';
import { corrupted, passwordProtected } from '../file.errors';
import { contentStreams, judgeInlineImages } from '../pdf-contents.domain';
import { judgeObjects } from '../pdf-objects.domain';
import { MAX_PIXELS, tooManyPixels } from '../pixels.domain';
import type { PdfSetup, PdfResult } from './pdf-program';
import { pdfProgram } from './pdf-program';

interface PdfLimits {
  /** Milliseconds for one file. */
  readonly timeMs: number;
  /** The memory of the parser, in pages of 64 KiB. */
  readonly memoryPages: number;
  /** The decoded streams that may have contents, as base 64, in megabytes. Scanned documents have less than one. */
  readonly contentMb: number;
  /** The heap of the thread that runs the parser, in megabytes. */
  readonly heapMb: number;
  /** The number of files that may wait for the one being read. */
  readonly waiting: number;
}

/** A file of 10 MB with 50,000 objects takes four seconds, because it is read twice, and 90 MB. */
export const PDF_LIMITS: PdfLimits = { timeMs: 5_000, memoryPages: 2_048, contentMb: 32, heapMb: 64, waiting: 8 };

/**
 * Reads the objects of PDFs with qpdf, one file at a time, each in its own thread, which ends with the file. Like
 * readers, qpdf follows the cross references, so an object that they do not refer to is not part of the file. A file
 * that qpdf has to repair is refused, because a reader may repair it differently.
 */
export class PdfInspection {
  private last: Promise<unknown> = Promise.resolve();
  private pending = 0;

  constructor(private readonly limits: PdfLimits = PDF_LIMITS) {}

  /**
   * Refuses `file-corrupted` if the PDF has active content or cannot be read within the limits, `file-too-large` if it
   * has a picture of too many pixels, and `file-password-protected` if it opens with a password only. Throws
   * `Unavailable` while too many files wait.
   */
  async check(bytes: Uint8Array): Promise<void> {
    if (this.pending > this.limits.waiting) throw new Unavailable('service-unavailable');
    this.pending += 1;
    const reading = this.last.then(() => this.read(bytes));
    this.last = reading.catch(() => undefined);
    try {
      refuseUnlessPassive(await reading);
    } finally {
      this.pending -= 1;
    }
  }

  private read(bytes: Uint8Array): Promise<PdfResult> {
    const library = require.resolve('@neslinesli93/qpdf-wasm');
    // A copy, because its memory is transferred to the thread.
    const file = new Uint8Array(bytes);
    const workerData: PdfSetup = {
      library,
      wasm: library.replace(/\.js$/, '.wasm'),
      file,
      rules: { activeNames: ACTIVE_NAMES, maxPixels: MAX_PIXELS },
      memoryPages: this.limits.memoryPages,
      maxContentBytes: this.limits.contentMb * 2 ** 20,
    };
    const functions = [judgeObjects, contentStreams, judgeInlineImages].map((one) => one.toString());
    const worker = new Worker(`(${pdfProgram.toString()})(require, ${functions.join()})`, {
      eval: true,
      workerData,
      transferList: [file.buffer],
      stdout: true,
      stderr: true,
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: this.limits.heapMb },
    });
    return new Promise<PdfResult>((resolve) => {
      const timer = setTimeout(() => resolve('limits'), this.limits.timeMs);
      worker.once('message', resolve);
      // A thread that runs out of memory ends with an error.
      worker.once('error', () => resolve('limits'));
      worker.once('exit', () => {
        clearTimeout(timer);
        resolve('unreadable');
      });
    }).finally(() => void worker.terminate());
  }
}

/** `limits`: it took too much time or memory. */
function refuseUnlessPassive(result: PdfResult): void {
  switch (result) {
    case 'passive':
      return;
    case 'active':
      return corrupted(
        'the PDF must not contain scripts, actions that open programs or files, forms that are submitted, media, ' +
          'attached files, or links other than http, https, mailto and tel',
      );
    case 'large':
      return tooManyPixels();
    case 'locked':
      return passwordProtected();
    case 'unreadable':
      return corrupted('the PDF contains objects that cannot be read');
    case 'limits':
      return corrupted(
        'the PDF cannot be read within the limits of time and memory: print it to a new PDF, or photograph the document',
      );
  }
}
