import { Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { MAX_EVIDENCE_BYTES } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { EvidenceUploads } from './evidence-uploads.service';
import { FILE_EXAMPLE, fileDto, FileEnvelopeDto, FileFormDto, FileUploadDto, UPLOAD_EXAMPLE } from './file.dto';
import { uploadOfForm } from './file.form';

/** The size of the largest file in base64, plus 64 KiB for the rest of the body. */
const MAX_UPLOAD_BYTES = Math.ceil(MAX_EVIDENCE_BYTES / 3) * 4 + 64 * 1024;

/** Files that account requests refer to. Write-only: no route returns a file to a partner. */
@Resource('api/v1/accounts/files', 'onboarding')
export class FilesController {
  constructor(private readonly uploads: EvidenceUploads) {}

  @Operation({
    id: 'upload-file',
    summary: 'Upload a document, as JSON or as a form',
    reach: 'own',
    status: 201,
    bodyLimit: MAX_UPLOAD_BYTES,
    body: described(FileUploadDto, UPLOAD_EXAMPLE),
    multipart: { shape: FileFormDto, read: uploadOfForm },
    answer: described(FileEnvelopeDto, FILE_EXAMPLE),
    errors: [
      'file-too-large',
      'unsupported-media-type',
      'file-corrupted',
      'file-password-protected',
      'file-not-found',
      'limit-exceeded',
    ],
  })
  @Post()
  async upload(@Req() { call, body, headers }: FastifyRequest): Promise<FileEnvelopeDto> {
    const { 'content-base64': content, purpose } = body as FileUploadDto;
    const isForm = headers['content-type']?.toLowerCase().startsWith('multipart/') ?? false;
    try {
      return { file: fileDto(await this.uploads.keep({ bytes: Buffer.from(content, 'base64'), purpose }, call)) };
    } catch (error) {
      throw error instanceof Refusal && !isForm ? asJson(error) : error;
    }
  }
}

/** Converts violation paths: the form field `file` is `content-base64` in JSON. */
const asJson = ({ violations }: Refusal): Refusal =>
  new Refusal(
    violations.map((violation) => (violation.path === 'file' ? { ...violation, path: 'content-base64' } : violation)),
  );
