import type { InformationItem, InformationProvided } from '@ponte/contracts';
import type { CurrentParts, OpenRequest } from './account-request.state';
import { replacedBy } from './files.domain';

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

/** What the partner still has to send. Null when everything has arrived. */
const remainingInformation = (
  information: OpenRequest['information'],
  { remaining }: InformationProvided['data'],
): OpenRequest['information'] => information && (remaining ? { ...information, missing: remaining.items } : null);

/** The parts after the partner sent information: what was sent again replaces what was there. */
function withInformation(parts: CurrentParts, sent: InformationProvided['data']): CurrentParts {
  return {
    holder: {
      address: sent.holder.address ?? parts.holder.address,
      document: sent.holder.document ?? parts.holder.document,
    },
    representative: {
      address: sent.representative.address ?? parts.representative.address,
      document: sent.representative.document ?? parts.representative.document,
      powerOfAttorneyFileId: sent.representative.powerOfAttorneyFileId ?? parts.representative.powerOfAttorneyFileId,
    },
    liveness: sent.liveness ?? parts.liveness,
    otherFileIds: [...parts.otherFileIds, ...sent.otherFileIds],
    replacedFiles: [...replacedBy(sent, parts), ...parts.replacedFiles],
    notes: sent.note === null ? parts.notes : [...parts.notes, { note: sent.note, at: sent.providedAt }],
  };
}

/** The request after the partner sent information. */
export const informed = (state: OpenRequest, sent: InformationProvided['data']): OpenRequest => ({
  ...state,
  information: remainingInformation(state.information, sent),
  parts: withInformation(state.parts, sent),
  livenessNamedAt: sent.liveness === null ? state.livenessNamedAt : sent.providedAt,
});
