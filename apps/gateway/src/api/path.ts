import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator } from '@nestjs/common';
import type { PublicErrorCode } from '@ponte/kernel';
import { isEvidenceFileId, isUuid } from '@ponte/kernel';
import type { AccountRequest } from '../edge/request-context.service';
import { notFound } from '../errors/api-error';

type Params = Readonly<Record<string, string>>;

/** The id in a path. Throws the given not-found code for a malformed id, as for an unknown one. */
export function uuidIn({ id }: Params, code: PublicErrorCode): string {
  if (!isUuid(id)) throw notFound(code);
  return id;
}

/** Parameter decorator for the result of {@link uuidIn}. */
export const PathId: (code: PublicErrorCode) => ParameterDecorator = createParamDecorator(
  (code: PublicErrorCode, host: ExecutionContext) =>
    uuidIn(host.switchToHttp().getRequest<AccountRequest>().params, code),
);

export const pathRequest = (params: Params): string => uuidIn(params, 'account-request-not-found');
export const pathEndpoint = (params: Params): string => uuidIn(params, 'webhook-endpoint-not-found');
export const pathAccount = (params: Params): string => uuidIn(params, 'account-not-found');

/** The file id of the path. Throws 404 `case-file-not-found` if it has another form. */
export function pathFile({ fileId }: Params): string {
  if (!isEvidenceFileId(fileId)) throw notFound('case-file-not-found');
  return fileId;
}
