import type { EvidenceFileRecord, EvidencePurpose } from '@ponte/contracts';
import { EVIDENCE_CONTENT_TYPES, EVIDENCE_PURPOSES } from '@ponte/contracts';
import { toWire } from '@ponte/kernel';
import { instant, oneOf, text, whole } from '../../validation/field-types';
import { EnvelopeOf } from '../../validation/envelopes';
import { exampleOf, Optional, Required } from '../../validation/fields';
import { base64, fileId, filePart } from '../../validation/file-field-types';
import { loose } from '../../validation/person-field-types';
import { SAMPLE } from '../samples';

/** A small but complete PNG. */
const PIXEL = SAMPLE.qrCode;
const PURPOSE = 'Purpose of the file';

/** An upload as JSON. */
export class FileUploadDto {
  @Optional(loose(255), 'Ignored and not stored, because file names often contain personal data', 'front.png')
  'file-name'?: string;

  @Optional(loose(255), 'Ignored: the type is detected from the content', 'image/png')
  'content-type'?: string;

  @Required(base64, 'The file, at most 10 MB (10,000,000 bytes) before it is encoded: JPEG, PNG or PDF', PIXEL)
  'content-base64'!: string;

  @Required(oneOf(EVIDENCE_PURPOSES), PURPOSE, 'document-front')
  purpose!: EvidencePurpose;
}

/** An upload as multipart/form-data. */
export class FileFormDto {
  @Required(filePart, 'At most 10 MB (10,000,000 bytes): JPEG, PNG or PDF')
  file!: Uint8Array;

  @Required(oneOf(EVIDENCE_PURPOSES), PURPOSE, 'document-front')
  purpose!: EvidencePurpose;
}

/** A file as its partner sees it. The content is never returned. */
export class FileDto {
  @Required(fileId, 'Id of the file, for use in account requests', SAMPLE.fileId)
  id!: string;

  @Required(oneOf(EVIDENCE_PURPOSES), PURPOSE, 'document-front')
  purpose!: string;

  @Required(oneOf(EVIDENCE_CONTENT_TYPES), 'Type detected from the content', 'image/png')
  'content-type'!: string;

  @Required(whole, 'Size in bytes', 92)
  'size-bytes'!: number;

  @Required(text(64, 64, /^[0-9a-f]{64}$/), 'SHA-256 of the content, hex', 'ab'.repeat(32))
  'sha-256'!: string;

  @Required(instant, 'When it was uploaded', SAMPLE.time)
  'created-at'!: string;

  @Required(instant, 'When it will be deleted unless an account request uses it', SAMPLE.later)
  'expires-at'!: string;
}

export class FileEnvelopeDto extends EnvelopeOf('file', () => FileDto, 'The file') {}

export const UPLOAD_EXAMPLE = exampleOf(FileUploadDto, { 'file-name': 'front.png', 'content-type': 'image/png' });

export const FILE_EXAMPLE: FileEnvelopeDto = { file: exampleOf(FileDto, { 'expires-at': '2026-03-02T12:00:00.000Z' }) };

export const fileDto = (file: EvidenceFileRecord): FileDto => ({
  id: file.fileId,
  ...toWire(file, 'purpose', 'contentType', 'sizeBytes'),
  'sha-256': file.sha256,
  ...toWire(file, 'createdAt', 'expiresAt'),
});
