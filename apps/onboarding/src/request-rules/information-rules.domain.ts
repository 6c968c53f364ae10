import type { Violation } from '@ponte/kernel';
import { violation } from '@ponte/kernel';
import { addressViolations, documentViolations } from './person-rules.domain';
import type { ClearAddress, ClearDocument, ClearInformation } from '@ponte/contracts';
import { postalCodeViolations } from '@ponte/contracts';

/**
 * Tax residences of the people in the request. Null when there are none, or when the holder is in reliance mode and the
 * partner keeps them.
 */
export interface Residences {
  readonly holder: string | null;
  readonly representative: string | null;
}

/** Every file that comes with information, and where it stands in the body. */
export function informationFiles(clear: ClearInformation): { readonly path: string; readonly fileId: string }[] {
  const sides = (path: string, document: ClearDocument | null) =>
    document === null
      ? []
      : [
          { path: `${path}.front-file-id`, fileId: document.frontFileId },
          ...(document.backFileId === null ? [] : [{ path: `${path}.back-file-id`, fileId: document.backFileId }]),
        ];
  return [
    ...sides('document', clear.document),
    ...sides('representative-document', clear.representativeDocument),
    ...(clear.powerOfAttorneyFileId === null
      ? []
      : [{ path: 'power-of-attorney-file-id', fileId: clear.powerOfAttorneyFileId }]),
    ...clear.otherFileIds.map((fileId, at) => ({ path: `other-file-ids[${at}]`, fileId })),
  ];
}

/**
 * Rules 5, 6, 10 and 11 over what came later. Members about a part that the request does not have are refused: no one
 * would ever see them.
 */
export function informationViolations(
  clear: ClearInformation,
  residences: Residences,
  knownFiles: ReadonlySet<string>,
): Violation[] {
  return [
    ...(isEmpty(clear) ? [violation('missing-field', '', 'send at least one of the things that are asked for')] : []),
    ...partViolations(clear.address, clear.document, residences.holder, ''),
    ...(clear.liveness !== null && residences.holder === null ? [strange('liveness')] : []),
    ...partViolations(
      clear.representativeAddress,
      clear.representativeDocument,
      residences.representative,
      'representative-',
    ),
    ...(clear.powerOfAttorneyFileId !== null && residences.representative === null
      ? [strange('power-of-attorney-file-id')]
      : []),
    ...informationFiles(clear)
      .filter(({ fileId }) => !knownFiles.has(fileId))
      .map(({ path }) => violation('file-not-found', path, 'no file of this id was uploaded by the parent account')),
  ];
}

const isEmpty = ({ otherFileIds, ...rest }: ClearInformation): boolean =>
  otherFileIds.length === 0 && Object.values(rest).every((value) => value === null);

function partViolations(
  address: ClearAddress | null,
  document: ClearDocument | null,
  taxResidence: string | null,
  prefix: string,
): Violation[] {
  if (taxResidence === null)
    return [...(address ? [strange(`${prefix}address`)] : []), ...(document ? [strange(`${prefix}document`)] : [])];
  return [
    ...(address ? [...postalCodeViolations(address, `${prefix}address`), ...addressViolations(address, prefix)] : []),
    ...(document ? documentViolations(document, taxResidence, prefix) : []),
  ];
}

const strange = (path: string): Violation => violation('unknown-field', path, 'the request has no such part');
