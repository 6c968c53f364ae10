import { ERASED } from '@ponte/event-sourcing';
import { maskTaxId } from '@ponte/kernel';
import type { CoordinatesDto } from '../../api/deposits/deposit.dto';

const MASKED = '***';

/**
 * Masks what identifies the other party of a deposit, so that showing it does not count as a view of personal data.
 * Chain addresses and banks stay as they are, and so does null.
 */
export function maskedCoordinates(coordinates: CoordinatesDto): CoordinatesDto {
  const taxId = coordinates['source-tax-id'];
  if (taxId === undefined)
    return {
      ...coordinates,
      ...(coordinates.source === undefined
        ? {}
        : { source: coordinates.source && MASKED, target: coordinates.target ? MASKED : null }),
    };
  // The tax id may be masked already.
  const hidden = taxId === ERASED || taxId.includes('*') ? taxId : maskTaxId(taxId);
  return { ...coordinates, 'source-tax-id': hidden, 'source-account-number': MASKED, 'source-branch-code': MASKED };
}
