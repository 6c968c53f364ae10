import type { InformationItem } from '@ponte/contracts';
import type { OpenRequest } from './account-request.state';

/** The parts of the request that can be sent again. A reliance request has only a number and an attestation. */
export function sentParts({ terms: { details } }: Pick<OpenRequest, 'terms'>): InformationItem[] {
  if (details.mode === 'reliance') return [];
  return [
    'address',
    'document',
    'liveness',
    ...(details.representative
      ? (['representative-address', 'representative-document', 'power-of-attorney'] as const)
      : []),
  ];
}

/**
 * The items that the partner can be asked for. Parts that the request does not have are excluded, because they would be
 * refused on arrival.
 */
export const askableItems = (state: Pick<OpenRequest, 'terms'>): readonly InformationItem[] => [
  ...sentParts(state),
  'source-of-funds',
  'other',
];

/** The item that the sandbox asks for if none is given. */
export const usualItem = ({ terms: { details } }: Pick<OpenRequest, 'terms'>): InformationItem =>
  details.mode === 'kyc' ? 'document' : 'other';
