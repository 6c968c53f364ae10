import type { IQueryHandler } from '@nestjs/cqrs';
import { QueryHandler } from '@nestjs/cqrs';
import type {
  CertificateRecord,
  GetAnyCertificate,
  ListAllCertificates,
  ListCertificates,
  Page,
} from '@ponte/contracts';
import type { PayloadOf } from '@ponte/event-sourcing';
import { RequestQuery } from '@ponte/nest';
import { certificateRecords } from './certificate.record';
import { Certificates } from './certificate.repository';
import type { CertificateRow } from './certificates.read-model';
import { CertificateReadModel } from './certificates.read-model';

type CertificateQuery = PayloadOf<typeof ListAllCertificates>;

function pageOf(
  readModel: CertificateReadModel,
  where: Partial<CertificateRow>,
  { filters, page }: Pick<CertificateQuery, 'filters' | 'page'>,
): Promise<Page<CertificateRecord>> {
  return readModel.records({
    where,
    filters: { status: filters.status, wallet_address: filters.walletAddress },
    page,
  });
}

/** Lists the minted certificates that an account has or had. */
export class ListCertificatesQuery extends RequestQuery<typeof ListCertificates> {}

@QueryHandler(ListCertificatesQuery)
export class ListCertificatesHandler implements IQueryHandler<ListCertificatesQuery> {
  constructor(private readonly readModel: CertificateReadModel) {}

  execute({ payload }: ListCertificatesQuery): Promise<Page<CertificateRecord>> {
    return pageOf(this.readModel, { account_id: payload.accountId, listed: 1 }, payload);
  }
}

/** Lists each certificate once. */
export class ListAllCertificatesQuery extends RequestQuery<typeof ListAllCertificates> {}

@QueryHandler(ListAllCertificatesQuery)
export class ListAllCertificatesHandler implements IQueryHandler<ListAllCertificatesQuery> {
  constructor(private readonly readModel: CertificateReadModel) {}

  execute({ payload }: ListAllCertificatesQuery): Promise<Page<CertificateRecord>> {
    const { accountId } = payload;
    return pageOf(this.readModel, { last: 1, ...(accountId === null ? {} : { account_id: accountId }) }, payload);
  }
}

/** Reads one certificate; null when it does not exist. */
export class GetAnyCertificateQuery extends RequestQuery<typeof GetAnyCertificate> {}

@QueryHandler(GetAnyCertificateQuery)
export class GetAnyCertificateHandler implements IQueryHandler<GetAnyCertificateQuery> {
  constructor(private readonly certificates: Certificates) {}

  async execute({ payload: { certificateId } }: GetAnyCertificateQuery): Promise<CertificateRecord | null> {
    return certificateRecords(await this.certificates.load(certificateId)).at(-1) ?? null;
  }
}
