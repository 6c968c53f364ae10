import type { EvidenceContentType } from '@ponte/contracts';
import { MAX_EVIDENCE_BYTES } from '@ponte/contracts';
import { checkJpeg, isJpeg } from './jpeg.domain';
import { checkPdf, isPdf } from './pdf.domain';
import type { Crc32 } from './png.domain';
import { checkPng, isPng } from './png.domain';
import { tooLarge, unsupported } from './file.errors';
import { checkPolyglot } from './trailer.domain';

/**
 * Determines the type of a file from its bytes and checks that they are sound. Images are not decoded: sizes come from
 * the headers. Refuses with the codes of `FileInspection`. The objects of a PDF are not checked here.
 */
export function inspectFile(content: Uint8Array, crc32: Crc32): EvidenceContentType {
  if (content.length > MAX_EVIDENCE_BYTES) tooLarge('the file must be at most 10 MB (10,000,000 bytes)');
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const contentType = typeOf(bytes);
  switch (contentType) {
    case 'image/jpeg':
      checkJpeg(bytes);
      break;
    case 'image/png':
      checkPng(bytes, crc32);
      break;
    case 'application/pdf':
      checkPdf(bytes);
      break;
  }
  checkPolyglot(bytes, contentType === 'application/pdf');
  return contentType;
}

function typeOf(bytes: Buffer): EvidenceContentType {
  if (isJpeg(bytes)) return 'image/jpeg';
  if (isPng(bytes)) return 'image/png';
  return isPdf(bytes) ? 'application/pdf' : unsupported();
}
