import { Injectable } from '@nestjs/common';
import type { Timestamp } from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import { derivedId } from '@ponte/kernel';
import type { Certificate } from './certificate.decider';
import { certificate } from './certificate.decider';
import { certificateRecords } from './certificate.record';

/** The rows of a certificate at a revision of its stream, one for each account that has or had it. */
export function certificateRows(state: Certificate, revision: number) {
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

/** Certificates by account. */
@Injectable()
export class CertificateReadModel extends defineReadModel({
  table: 'reward_certificates',
  reader: 'movements/rewardCertificate',
  of: certificate,
  // `id` identifies the account's row for the certificate, not the certificate. Cursors use it.
  columns: {
    certificate_id: 'text',
    account_id: 'text',
    wallet_address: 'text',
    status: 'text',
    // 1 for the current or last holder.
    last: 'integer?',
    // 1 once it is minted, which makes it visible to partners.
    listed: 'integer?',
    record: 'json',
  },
  indices: [['account_id'], ['last'], ['status']],
  rows: ({ state, revision }) => certificateRows(state, revision),
}) {
  /** The ids of certificates that were issued by this time and are not minted, in pages. */
  unminted(issuedBefore: Timestamp, pageSize: number): AsyncGenerator<readonly string[]> {
    return this.table.due('created_at', issuedBefore, {
      ...{ pageSize, of: 'certificate_id' },
      narrow: (rows) => rows.where('status', '=', 'issued'),
    });
  }
}

export type CertificateRow = RowOf<typeof CertificateReadModel>;
