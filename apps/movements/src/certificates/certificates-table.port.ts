import type { CertificateRecord, CertificateState, Page, PageRequest } from '@ponte/contracts';

/** One account that has a certificate or had it: the record as it is shown, and the columns that are searched by. */
export interface CertificateRow {
  /** Of the account with this certificate, not of the certificate: cursors go by it. */
  readonly id: string;
  readonly revision: number;
  readonly created_at: string;
  readonly certificate_id: string;
  readonly account_id: string;
  readonly wallet_address: string;
  readonly status: CertificateState;
  /** 1 for the account that has it or had it last. */
  readonly last: number | null;
  /** 1 from the mint on: partners see it. */
  readonly listed: number | null;
  readonly record: CertificateRecord;
}

/** Where the rows lie; a row never goes back to a lower revision. */
export interface CertificatesTable {
  putAll(rows: readonly CertificateRow[]): Promise<void>;
  /** Newest first. Null and undefined filters let everything through. */
  page(request: {
    readonly where: Partial<CertificateRow>;
    readonly filters?: { readonly [K in keyof CertificateRow]?: CertificateRow[K] | null };
    readonly page: PageRequest;
  }): Promise<Page<CertificateRow>>;
}

export const CERTIFICATES_TABLE = Symbol('CertificatesTable');
