import type { Violation } from '@ponte/kernel';
import { violation } from '@ponte/kernel';
import { addressViolations, documentViolations } from './person-rules.domain';
import type { ClearAddress, ClearInformation, DocumentFiles } from '@ponte/contracts';
import { postalCodeViolations } from '@ponte/contracts';

/**
 * Tax residences of the people in the request. Null if there is no such person, or if the holder is in reliance mode,
 * where the partner keeps the residence.
 */
interface Residences {
  readonly holder: string | null;
  readonly representative: string | null;
}

/** Every file in the information, with its path in the body. */
export function informationFiles(clear: ClearInformation): { readonly path: string; readonly fileId: string }[] {
  const sides = (path: string, document: DocumentFiles | null) =>
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
 * Rules 5, 6, 10 and 11 for later information. Fields about parts that the request does not have are refused, because
 * no reviewer would see them.
 */
export function informationViolations(
  clear: ClearInformation,
  residences: Residences,
  knownFiles: ReadonlySet<string>,
): Violation[] {
  return [
    ...(isEmpty(clear) ? [violation('missing-field', '', 'must contain at least one of the requested items')] : []),
    ...partViolations(clear.address, clear.document, residences.holder, ''),
    ...(clear.liveness !== null && residences.holder === null ? [unknownField('liveness')] : []),
    ...partViolations(
      clear.representativeAddress,
      clear.representativeDocument,
      residences.representative,
      'representative-',
    ),
    ...(clear.powerOfAttorneyFileId !== null && residences.representative === null
      ? [unknownField('power-of-attorney-file-id')]
      : []),
    ...informationFiles(clear)
      .filter(({ fileId }) => !knownFiles.has(fileId))
      .map(({ path }) => violation('file-not-found', path, 'the parent account has not uploaded a file with this id')),
  ];
}

const isEmpty = ({ otherFileIds, ...rest }: ClearInformation): boolean =>
  otherFileIds.length === 0 && Object.values(rest).every((value) => value === null);

function partViolations(
  address: ClearAddress | null,
  document: DocumentFiles | null,
  taxResidence: string | null,
  prefix: string,
): Violation[] {
  if (taxResidence === null)
    return [
      ...(address ? [unknownField(`${prefix}address`)] : []),
      ...(document ? [unknownField(`${prefix}document`)] : []),
    ];
  return [
    ...(address ? [...postalCodeViolations(address, `${prefix}address`), ...addressViolations(address, prefix)] : []),
    ...(document ? documentViolations(document, taxResidence, prefix) : []),
  ];
}

const unknownField = (path: string): Violation => violation('unknown-field', path, 'the request has no such part');
