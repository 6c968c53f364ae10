import { corrupted } from './file.errors';

/** Starts of things that have no business behind a picture: archives, documents, pages, scripts. */
const FOREIGN = [
  'PK\u0003\u0004',
  'PK\u0005\u0006',
  '%PDF-',
  'Rar!',
  '7z\u00bc\u00af',
  '<html',
  '<HTML',
  '<script',
  '<SCRIPT',
  '<?php',
  '<!DOCTYPE',
  '<svg',
];

/** Samsung's cameras append data of their own, which ends in this. */
const SAMSUNG_END = Buffer.from('SEFT', 'latin1');

/** What may stand behind a picture: nothing, zeros, or a camera's own trailer that hides no other format. */
export function checkTrailer(rest: Buffer): void {
  if (isZeros(rest)) return;
  const isCameras = rest.subarray(-SAMSUNG_END.length).equals(SAMSUNG_END);
  if (!isCameras || FOREIGN.some((start) => rest.includes(start, 0, 'latin1')))
    corrupted('the file contains other data after the image');
}

/** Compared with itself one byte on, natively: a call for each byte of 10 MB would hold the event loop. */
const isZeros = (bytes: Buffer): boolean =>
  bytes.length === 0 || (bytes[0] === 0 && bytes.subarray(1).equals(bytes.subarray(0, -1)));

/** ZIP readers start at the end: an archive can be appended to anything, or anything put before it. */
const ZIP_END = Buffer.from('PK\u0005\u0006', 'latin1');
const ZIP_END_LENGTH = 22;
const MAX_ZIP_COMMENT = 0xffff;

/** PDF readers look for the header in the first 1024 bytes, wherever it stands. */
const PDF_HEADER = Buffer.from('%PDF-', 'latin1');
const PDF_HEADER_WITHIN = 1024;

/** One file that is two: what inspects it would see the one, what opens it the other. */
export function checkPolyglot(bytes: Buffer, isPdf: boolean): void {
  const tail = bytes.subarray(-(ZIP_END_LENGTH + MAX_ZIP_COMMENT));
  for (let at = tail.indexOf(ZIP_END); at !== -1; at = tail.indexOf(ZIP_END, at + 1)) {
    if (at + ZIP_END_LENGTH <= tail.length && at + ZIP_END_LENGTH + tail.readUInt16LE(at + 20) === tail.length)
      corrupted('the file is also an archive');
  }
  if (!isPdf && bytes.subarray(0, PDF_HEADER_WITHIN).includes(PDF_HEADER)) corrupted('the file is also a PDF');
}
