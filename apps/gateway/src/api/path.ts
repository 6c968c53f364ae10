import { isEvidenceFileId, isUuid } from '@ponte/kernel';
import { notFound } from '../errors/api-error';

type Params = Readonly<Record<string, string>>;

/** Reads the id of a request from a path. A malformed id is treated as unknown. */
export function pathRequest(params: Params): string {
  const { id } = params;
  if (!isUuid(id)) throw notFound('account-request-not-found');
  return id;
}

export function pathFile({ fileId }: Params): string {
  if (!isEvidenceFileId(fileId)) throw notFound('case-file-not-found');
  return fileId;
}

export function pathAccount({ id }: Params): string {
  if (!isUuid(id)) throw notFound('account-not-found');
  return id;
}
