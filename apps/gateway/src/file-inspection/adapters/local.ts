import { webcrypto } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { inspectFile } from '../inspect-file.domain';
import type { FileInspection } from '../file-inspection.port';
import type { PdfInspection } from './pdf-inspection';

/**
 * The walk over a picture's bytes is made in this process and takes some ten milliseconds; the hash and the objects of
 * a PDF are read in other threads.
 */
export const localFileInspection = (pdfs: Pick<PdfInspection, 'check'>): FileInspection => ({
  async inspect(bytes) {
    const contentType = inspectFile(bytes, crc32);
    if (contentType === 'application/pdf') await pdfs.check(bytes);
    const sha256 = Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
    return { contentType, sizeBytes: bytes.length, sha256 };
  },
});
