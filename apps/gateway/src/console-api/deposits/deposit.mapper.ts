import type { DepositRecord } from '@ponte/contracts';
import { isPlaceholder } from '@ponte/event-sourcing';
import { maskTaxId, toWire, toWireIfSet } from '@ponte/kernel';
import type { CoordinatesDto } from '../../api/deposits/deposit.dto';
import { depositDto } from '../../api/deposits/deposit.mapper';
import type { OpensPersonalData } from '../../personal-data/shown-personal-data.service';
import type { StaffDepositDto } from './deposit.dto';

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
  const hidden = isPlaceholder(taxId) || taxId.includes('*') ? taxId : maskTaxId(taxId);
  return { ...coordinates, 'source-tax-id': hidden, 'source-account-number': MASKED, 'source-branch-code': MASKED };
}

/** The deposit as the staff API shows it. */
export async function staffDepositDto(
  record: DepositRecord,
  personalData: OpensPersonalData,
): Promise<StaffDepositDto> {
  const clear = await depositDto(record, personalData);
  return {
    ...clear,
    coordinates: maskedCoordinates(clear.coordinates),
    ...toWire(record, 'asset', 'accountId'),
    ...returned(record),
    ...setAside(record),
  };
}

const returned = ({ returned: done }: DepositRecord) =>
  done ? { ...toWire(done, 'returnId', 'returnedAt'), ...toWireIfSet(done, 'bankReturnId') } : {};

const setAside = ({ setAside: pending }: DepositRecord) =>
  pending ? { 'set-aside': toWire(pending, 'request', 'requestedBy', 'requestedAt') } : {};
