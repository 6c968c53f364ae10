import type { DocumentFiles } from '@ponte/contracts';
import type { OpenRequest } from './state';

export interface NamedFile { readonly label: string; readonly fileId: string; readonly person: 'holder' | 'representative' }

/** Every file that the request ever named, each once: what came first, then what came later. */
export function filesOf({ terms: { details }, parts }: OpenRequest): NamedFile[] {
  const kyc = details.mode === 'kyc' ? details : null;
  const representative = kyc?.representative ?? null;
  const named: NamedFile[] = [
    ...sides(kyc?.holder.document ?? null, 'holder', 'document'),
    ...sides(parts.holder.document, 'holder', 'document'),
    ...sides(representative?.document ?? null, 'representative', 'representative document'),
    ...sides(parts.representative.document, 'representative', 'representative document'),
    ...[representative?.powerOfAttorneyFileId, parts.representative.powerOfAttorneyFileId].flatMap((fileId): NamedFile[] =>
      (fileId === undefined || fileId === null ? [] : [{ label: 'power of attorney', fileId, person: 'representative' }])),
    ...parts.otherFileIds.map((fileId): NamedFile => ({ label: 'other', fileId, person: 'holder' })),
  ];
  return named.filter((one, at) => named.findIndex(({ fileId }) => fileId === one.fileId) === at);
}

const sides = (document: DocumentFiles | null, person: NamedFile['person'], label: string): NamedFile[] => (document === null ? [] : [
  { label: `${label}, front`, fileId: document.frontFileId, person },
  ...(document.backFileId === null ? [] : [{ label: `${label}, back`, fileId: document.backFileId, person }]),
]);
