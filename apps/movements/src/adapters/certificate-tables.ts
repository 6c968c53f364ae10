import type { ViewTable } from '@ponte/read-models';
import { createViewTable } from '@ponte/read-models';
import type { Kysely } from 'kysely';
import type { CertificateRow } from '../certificates/certificates-table.port';
import type { NftTransferRow } from '../nft-transfer/nft-transfers-table.port';

/** Certificates by account. */
export const certificatesTable = (db: Kysely<unknown>): ViewTable<CertificateRow> =>
  createViewTable<CertificateRow>({
    db,
    table: 'reward_certificates',
    indices: [['account_id'], ['last']],
    columns: {
      certificate_id: 'text',
      account_id: 'text',
      wallet_address: 'text',
      status: 'text',
      last: 'integer?',
      listed: 'integer?',
      record: 'json',
    },
  });

/** NFT transfers by account. */
export const nftTransfersTable = (db: Kysely<unknown>): ViewTable<NftTransferRow> =>
  createViewTable<NftTransferRow>({
    db,
    table: 'nft_transfers',
    indices: [['account_id'], ['unfinished']],
    columns: {
      account_id: 'text',
      certificate_id: 'text',
      source_address: 'text',
      target_address: 'text',
      state: 'text',
      tx_hash: 'text?',
      external_id: 'text?',
      unfinished: 'integer?',
      record: 'json',
    },
  });
