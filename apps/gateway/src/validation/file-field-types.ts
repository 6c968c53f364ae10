import { isEvidenceFileId } from '@ponte/kernel';
import type { FieldType } from './field-types';
import { isText, ofText, rule } from './field-types';

export const fileId: FieldType = {
  rules: [isText, rule('isFileId', ofText(isEvidenceFileId), 'invalid-format', 'must be the id of an uploaded file')],
  schema: { type: 'string', pattern: '^ev_[A-Z0-9]+$' },
};

/** Standard base64 with padding, in one string. */
export const base64: FieldType = {
  rules: [
    isText,
    rule('isStandardBase64', ofText(isBase64), 'invalid-format', 'must be standard base64 with its padding'),
  ],
  schema: {
    type: 'string',
    contentEncoding: 'base64',
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  },
};

/**
 * Compares the decoded length, which is too short if the decoder skipped invalid characters. A regular expression would
 * exhaust its stack on megabytes.
 */
function isBase64(text: string): boolean {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Buffer.from(text, 'base64').length === (text.length / 4) * 3 - padding;
}

/** A part of a multipart form that is a file. */
export const filePart: FieldType = {
  rules: [
    rule('isFilePart', (value) => value instanceof Uint8Array, 'invalid-type', 'must be a file, sent with a file name'),
  ],
  schema: { type: 'string', format: 'binary' },
};
