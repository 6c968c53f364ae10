import { webcrypto } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { inspectFile } from '../inspect-file.domain';
import type { FileInspection } from '../file-inspection.port';
import type { PdfInspection } from './pdf-inspection';

/**
 * Checks images in this process, which takes about ten milliseconds. The hash and the objects of a PDF are computed in
 * other threads.
 */
export const localFileInspection = (pdfs: Pick<PdfInspection, 'check'>): FileInspection => ({
  async inspect(bytes) {
    const contentType = inspectFile(bytes, crc32);
    if (contentType === 'application/pdf') await pdfs.check(bytes);
    const sha256 = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
    return { contentType, sizeBytes: bytes.length, sha256 };
  },
});
