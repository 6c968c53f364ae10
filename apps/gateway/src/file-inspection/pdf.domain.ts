import { corrupted } from './file.errors';

const HEADER = /^%PDF-(?:1\.[0-7]|2\.\d)\D/;
/** Readers search for the end marker in the last kilobyte. */
const TAIL = 1024;
const MAX_OFFSET_DIGITS = 10;
/** What must be at the offset of the cross references: the table, or the object that holds them. */
const CROSS_REFERENCES = /^\s{0,4}(?:xref\b|\d{1,10}\s{1,4}\d{1,5}\s{1,4}obj\b)/;
const PEEK = 48;

export const isPdf = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 5) === '%PDF-';

/**
 * Checks the header, the end marker, and that the cross references are where the end says. A file that was cut off
 * lacks the latter two. Its objects are checked by `PdfInspection`.
 */
export function checkPdf(bytes: Buffer): void {
  if (!HEADER.test(bytes.toString('latin1', 0, 16))) corrupted('the PDF has an unknown version');
  const tail = bytes.subarray(-TAIL).toString('latin1');
  const end = tail.lastIndexOf('%%EOF');
  if (end === -1) corrupted('the PDF is cut off');
  if (!/^%%EOF[\s\0]*$/.test(tail.slice(end))) corrupted('the file contains other data after the PDF');
  const start = new RegExp(`startxref\\s{1,4}(\\d{1,${MAX_OFFSET_DIGITS}})\\s{1,4}$`).exec(tail.slice(0, end))?.[1];
  const offset = start === undefined ? corrupted('the PDF has no cross-reference table') : Number(start);
  if (offset >= bytes.length || !CROSS_REFERENCES.test(bytes.toString('latin1', offset, offset + PEEK)))
    corrupted('the cross-reference table of the PDF is wrong');
}
