import { Inject } from '@nestjs/common';
import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { CertificateRecord, ListAllCertificates, ListCertificates, Page } from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { certificateRecords } from './certificate.decider';
import { Certificates } from './certificate.repository';
import type { CertificateRow, CertificatesTable } from './certificates-table.port';
import { CERTIFICATES_TABLE } from './certificates-table.port';

type Asked = PayloadOf<typeof ListAllCertificates>;

async function pageOf(
  table: CertificatesTable,
  where: Partial<CertificateRow>,
  { filters, page }: Pick<Asked, 'filters' | 'page'>,
): Promise<Page<CertificateRecord>> {
  const { items, next } = await table.page({
    where,
    filters: { status: filters.status, wallet_address: filters.walletAddress },
    page,
  });
  return { items: items.map(({ record }) => record), next };
}

/** Those that an account has or had, from their mint on. */
export class ListCertificatesQuery extends Query<Page<CertificateRecord>> {
  constructor(readonly payload: PayloadOf<typeof ListCertificates>) {
    super();
  }
}

@QueryHandler(ListCertificatesQuery)
export class ListCertificatesHandler implements IQueryHandler<ListCertificatesQuery> {
  constructor(@Inject(CERTIFICATES_TABLE) private readonly table: CertificatesTable) {}

  execute({ payload }: ListCertificatesQuery): Promise<Page<CertificateRecord>> {
    return pageOf(this.table, { account_id: payload.accountId, listed: 1 }, payload);
  }
}

/** Each certificate once. */
export class ListAllCertificatesQuery extends Query<Page<CertificateRecord>> {
  constructor(readonly payload: Asked) {
    super();
  }
}

@QueryHandler(ListAllCertificatesQuery)
export class ListAllCertificatesHandler implements IQueryHandler<ListAllCertificatesQuery> {
  constructor(@Inject(CERTIFICATES_TABLE) private readonly table: CertificatesTable) {}

  execute({ payload }: ListAllCertificatesQuery): Promise<Page<CertificateRecord>> {
    const { accountId } = payload;
    return pageOf(this.table, { last: 1, ...(accountId === null ? {} : { account_id: accountId }) }, payload);
  }
}

/** Null when there is no such certificate. */
export class GetAnyCertificateQuery extends Query<CertificateRecord | null> {
  constructor(readonly certificateId: string) {
    super();
  }
}

@QueryHandler(GetAnyCertificateQuery)
export class GetAnyCertificateHandler implements IQueryHandler<GetAnyCertificateQuery> {
  constructor(private readonly certificates: Certificates) {}

  async execute({ certificateId }: GetAnyCertificateQuery): Promise<CertificateRecord | null> {
    return certificateRecords(await this.certificates.load(certificateId)).at(-1) ?? null;
  }
}
