import { corrupted } from './file.errors';

/** Starts of formats that are not allowed after an image: archives, documents, pages, scripts. */
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

/** The end of the data that Samsung's cameras append. */
const SAMSUNG_END = Buffer.from('SEFT', 'latin1');

/** Checks the data after an image: nothing, zeros, or a camera's trailer that hides no other format. */
export function checkTrailer(rest: Buffer): void {
  if (isZeros(rest)) return;
  const isCameras = rest.subarray(-SAMSUNG_END.length).equals(SAMSUNG_END);
  if (!isCameras || FOREIGN.some((start) => rest.includes(start, 0, 'latin1')))
    corrupted('the file contains other data after the image, such as the video of a motion photo');
}

/** Natively compares the bytes with themselves shifted by one, because a loop over 10 MB would block the event loop. */
const isZeros = (bytes: Buffer): boolean =>
  bytes.length === 0 || (bytes[0] === 0 && bytes.subarray(1).equals(bytes.subarray(0, -1)));

/** ZIP readers start at the end of a file, so an archive can have other data before it. */
const ZIP_END = Buffer.from('PK\u0005\u0006', 'latin1');
const ZIP_END_LENGTH = 22;
const MAX_ZIP_COMMENT = 0xffff;

/** PDF readers search for the header anywhere in the first 1024 bytes. */
const PDF_HEADER = Buffer.from('%PDF-', 'latin1');
const PDF_HEADER_WITHIN = 1024;

/**
 * Refuses a file with two formats, because a program that opens it may see a different format from the one that was
 * inspected.
 */
export function checkPolyglot(bytes: Buffer, isPdf: boolean): void {
  const tail = bytes.subarray(-(ZIP_END_LENGTH + MAX_ZIP_COMMENT));
  for (let at = tail.indexOf(ZIP_END); at !== -1; at = tail.indexOf(ZIP_END, at + 1)) {
    if (at + ZIP_END_LENGTH <= tail.length && at + ZIP_END_LENGTH + tail.readUInt16LE(at + 20) === tail.length)
      corrupted('the file is also an archive');
  }
  if (!isPdf && bytes.subarray(0, PDF_HEADER_WITHIN).includes(PDF_HEADER)) corrupted('the file is also a PDF');
}
