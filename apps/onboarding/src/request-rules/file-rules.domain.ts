import type { Violation } from '@ponte/kernel';
import { violation } from '@ponte/kernel';
import type { ClearKycRequest } from '@ponte/contracts';

/** Rule 11. A file of another parent is refused like a file that does not exist. */
export const fileViolations = (
  request: Pick<ClearKycRequest, 'document' | 'representative'>,
  known: ReadonlySet<string>,
): Violation[] =>
  namedFiles(request)
    .filter(({ fileId }) => !known.has(fileId))
    .map(({ path }) => violation('file-not-found', path, 'the parent account has not uploaded a file with this id'));

/** The files that a request names, with their paths. */
export function namedFiles({
  document,
  representative,
}: Pick<ClearKycRequest, 'document' | 'representative'>): { readonly path: string; readonly fileId: string }[] {
  const sides = (prefix: string, { frontFileId, backFileId }: ClearKycRequest['document']) => [
    { path: `${prefix}document.front-file-id`, fileId: frontFileId },
    ...(backFileId === null ? [] : [{ path: `${prefix}document.back-file-id`, fileId: backFileId }]),
  ];
  return [
    ...sides('', document),
    ...(representative
      ? [
          ...sides('representative.', representative.document),
          { path: 'representative.power-of-attorney-file-id', fileId: representative.powerOfAttorneyFileId },
        ]
      : []),
  ];
}
