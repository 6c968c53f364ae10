import type { InformationItem } from '@ponte/contracts';
import type { OpenRequest } from './account-request.state';

/** What came with the request and can be sent again; reliance brings a number and an attestation alone. */
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
 * What its partner can be asked for: a part that the request does not have would be refused when it comes, so no one
 * may wait for it.
 */
export const askableItems = (state: Pick<OpenRequest, 'terms'>): readonly InformationItem[] => [
  ...sentParts(state),
  'source-of-funds',
  'other',
];

/** What the sandbox asks for when no one says what. */
export const usualItem = ({ terms: { details } }: Pick<OpenRequest, 'terms'>): InformationItem =>
  details.mode === 'kyc' ? 'document' : 'other';
