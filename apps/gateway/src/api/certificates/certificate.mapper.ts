import type { CertificateFilters, CertificateRecord, CertificateState } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import type { Call } from '../../edge/request-context.service';
import type { CertificateDto } from './certificate.dto';

export const certificateDto = (record: CertificateRecord): CertificateDto => ({
  id: record.id,
  'wallet-address': record.walletAddress,
  amount: record.amount,
  'reward-tier': record.rewardTier,
  status: record.status,
  'created-at': record.createdAt,
});

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
