import type { FormFields } from '../../bodies/multipart-body';
import { shapeError } from '../../errors/api-error';
import { ShapeCheck } from '../../validation/shape-check';
import type { FileUploadDto } from './file.dto';
import { FileFormDto } from './file.dto';

const FORM = new ShapeCheck(FileFormDto, 'refuse');

/** Converts a form to the equivalent JSON body, so that the rest of the gateway handles a single kind of upload. */
export function uploadOfForm(fields: FormFields): FileUploadDto {
  const violations = FORM.violations(fields);
  if (violations.length > 0) throw shapeError(violations);
  const { file, purpose } = fields as unknown as FileFormDto;
  return { 'content-base64': Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('base64'), purpose };
}
