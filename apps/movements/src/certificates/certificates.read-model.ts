import type { CertificateEvent } from '@ponte/contracts';
import type { Recorded, StreamFolds } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { Certificate } from './certificate.decider';
import { certificateRecords } from './certificate.decider';
import type { CertificateRow } from './certificates-table.port';

/** The rows of a certificate at a revision of its stream; none before it was issued. */
export function certificateRows(state: Certificate, revision: number): CertificateRow[] {
  if (state.status === 'absent') return [];
  const records = certificateRecords(state);
  const isListed = state.status !== 'issued' && state.status !== 'failed';
  return records.map((record, at) => ({
    id: derivedId('certificate-holding', record.id, record.accountId),
    revision,
    created_at: record.createdAt,
    certificate_id: record.id,
    account_id: record.accountId,
    wallet_address: record.walletAddress,
    status: record.status,
    last: at === records.length - 1 ? 1 : null,
    listed: isListed ? 1 : null,
    record,
  }));
}

/** The rows of the certificates that changed in a run of the log. */
export async function changedCertificateRows(
  folds: StreamFolds<Certificate, CertificateEvent>,
  events: readonly Recorded[],
): Promise<CertificateRow[]> {
  return [...(await folds.add(events))].flatMap(([, { state, revision }]) => certificateRows(state, revision));
}
