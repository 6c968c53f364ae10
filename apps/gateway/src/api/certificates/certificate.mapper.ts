import type { CertificateFilters, CertificateRecord, CertificateState } from '@ponte/contracts';
import { derivedId, toWire } from '@ponte/kernel';
import type { Call } from '../../edge/request-context.service';
import type { CertificateDto } from './certificate.dto';

export const certificateDto = (record: CertificateRecord): CertificateDto =>
  toWire(record, 'id', 'walletAddress', 'amount', 'rewardTier', 'status', 'createdAt');

export const certificateFilters = (query: {
  readonly status?: CertificateState;
  readonly 'wallet-address'?: string;
}): CertificateFilters => ({
  status: query.status ?? null,
  walletAddress: query['wallet-address']?.toLowerCase() ?? null,
});

/**
 * Derives the id from the scope of the idempotency key, so that even a very late repetition finds the same certificate.
 */
export const keyedCertificateId = ({ key, commandId }: Call): string =>
  derivedId('reward-certificate', key?.scope ?? commandId);
