import type { DocumentFiles, InformationProvided } from '@ponte/contracts';
import type { CurrentParts, OpenRequest } from './account-request.state';

export interface NamedFile {
  readonly label: string;
  readonly fileId: string;
  readonly person: 'holder' | 'representative';
}

/**
 * Every file that the request ever named, each once: what it stands on now, then what was replaced, the latest first.
 */
export function filesOf(state: Pick<OpenRequest, 'parts'>): NamedFile[] {
  const named = namings(state);
  return named.filter((one, at) => named.findIndex(({ fileId }) => fileId === one.fileId) === at);
}

/** Ids of the files that show one person of the request. One file may show both. */
export const fileIdsOf = (state: Pick<OpenRequest, 'parts'>, person: NamedFile['person']): string[] => [
  ...new Set(
    namings(state)
      .filter((one) => one.person === person)
      .map(({ fileId }) => fileId),
  ),
];

/** Whom a file of the request shows. */
export const shownBy = (state: Pick<OpenRequest, 'parts'>, fileId: string): NamedFile['person'][] => [
  ...new Set(
    namings(state)
      .filter((one) => one.fileId === fileId)
      .map(({ person }) => person),
  ),
];

/** Every place that ever named a file. */
const namings = ({ parts }: Pick<OpenRequest, 'parts'>): NamedFile[] => [
  ...documentFiles(parts),
  ...parts.otherFileIds.map((fileId): NamedFile => ({ label: 'other', fileId, person: 'holder' })),
  ...parts.replacedFiles.map((file) => ({ ...file, label: `${file.label}, replaced` })),
];

/**
 * Files that other ones have taken the place of. They stay with the request: what was looked at is part of its record,
 * and goes with its person.
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
