import type { DocumentFiles, InformationProvided } from '@ponte/contracts';
import type { CurrentParts, NamedFile, OpenRequest } from './account-request.state';

/** Every file that the request ever named, each once: first the current files, then the replaced ones, latest first. */
export function filesOf(state: Pick<OpenRequest, 'parts'>): NamedFile[] {
  const named = namings(state);
  return named.filter((one, at) => named.findIndex(({ fileId }) => fileId === one.fileId) === at);
}

/** Ids of the files that show one person of the request. A file may show both. */
export const fileIdsOf = (state: Pick<OpenRequest, 'parts'>, person: NamedFile['person']): string[] => [
  ...new Set(
    namings(state)
      .filter((one) => one.person === person)
      .map(({ fileId }) => fileId),
  ),
];

/** The people of the request that a file shows. */
export const shownBy = (state: Pick<OpenRequest, 'parts'>, fileId: string): NamedFile['person'][] => [
  ...new Set(
    namings(state)
      .filter((one) => one.fileId === fileId)
      .map(({ person }) => person),
  ),
];

/** Every naming of a file, current or replaced. */
const namings = ({ parts }: Pick<OpenRequest, 'parts'>): NamedFile[] => [
  ...documentFiles(parts),
  ...parts.otherFileIds.map((fileId): NamedFile => ({ label: 'other', fileId, person: 'holder' })),
  ...parts.replacedFiles.map((file) => ({ ...file, label: `${file.label}, replaced` })),
];

/**
 * The files that newly sent ones replace. They stay with the request, because what reviewers saw is part of its record,
 * and are erased with their person.
 */
export function replacedBy(
  sent: Pick<InformationProvided['data'], 'holder' | 'representative'>,
  parts: CurrentParts,
): NamedFile[] {
  const { holder, representative } = parts;
  return documentFiles({
    holder: { document: sent.holder.document && holder.document },
    representative: {
      document: sent.representative.document && representative.document,
      powerOfAttorneyFileId: sent.representative.powerOfAttorneyFileId && representative.powerOfAttorneyFileId,
    },
  });
}

interface Documents {
  readonly holder: { readonly document: DocumentFiles | null };
  readonly representative: { readonly document: DocumentFiles | null; readonly powerOfAttorneyFileId: string | null };
}

const documentFiles = ({ holder, representative }: Documents): NamedFile[] => [
  ...sides(holder.document, 'holder', 'document'),
  ...sides(representative.document, 'representative', 'representative document'),
  ...(representative.powerOfAttorneyFileId === null
    ? []
    : [
        { label: 'power of attorney', fileId: representative.powerOfAttorneyFileId, person: 'representative' } as const,
      ]),
];

const sides = (document: DocumentFiles | null, person: NamedFile['person'], label: string): NamedFile[] =>
  document === null
    ? []
    : [
        { label: `${label}, front`, fileId: document.frontFileId, person },
        ...(document.backFileId === null ? [] : [{ label: `${label}, back`, fileId: document.backFileId, person }]),
      ];
