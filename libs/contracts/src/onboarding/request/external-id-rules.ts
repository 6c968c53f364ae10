import type { Violation } from '@ponte/kernel';
import { violation } from '@ponte/kernel';
import { parseIdentity } from '../identity';
import type { ClearIdentifier, TaxDocumentType } from './request-form';

const EXTERNAL_ID = /^[\x21-\x7e]{1,255}$/;

export interface Named {
  readonly identifier: ClearIdentifier;
  readonly taxDocumentType?: TaxDocumentType;
  readonly firstName: string;
  readonly lastName: string;
}

/** Shorter texts other than numbers and names occur in other words and numbers by chance. */
const MIN_TELLING = 8;

/** Shorter names, such as one Latin letter, occur in other words by chance, unless they are the whole id. */
const MIN_NAME = 4;

/**
 * Checks that an external id does not identify a person, because it is stored and shown in clear. `others` are further
 * texts of the request that would identify one.
 */
export function externalIdViolations(
  externalId: string | null,
  people: readonly Named[],
  others: readonly string[],
): Violation[] {
  if (externalId === null) return [];
  if (!EXTERNAL_ID.test(externalId))
    return [violation('invalid-format', 'external-id', 'must be 1 to 255 printable ASCII characters, without spaces')];
  const shown = bare(externalId);
  const telling = [
    ...people.map(({ identifier, taxDocumentType }) => parseIdentity(identifier, taxDocumentType)?.number ?? ''),
    ...people
      .map(({ firstName, lastName }) => bare(`${firstName} ${lastName}`))
      .filter((name) => name.length >= MIN_NAME || name === shown),
    ...others.map(bare).filter((text) => text.length >= MIN_TELLING),
  ];
  return telling.some((text) => text !== '' && shown.includes(text))
    ? [
        violation(
          'invalid-format',
          'external-id',
          'must not contain a name, number or address of the person, because it is stored unencrypted',
        ),
      ]
    : [];
}

const bare = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[^0-9A-Za-z]/g, '')
    .toUpperCase();
