import { Get } from '@nestjs/common';
import { ListCertificates } from '@ponte/contracts';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { CertificatesDto, CertificatesQuery } from './certificate.dto';
import { certificateDto, certificateFilters } from './certificate.mapper';

/** Reward certificates that an account holds or held. */
@Resource('api/v1/accounts/:accountId/reward-certificates', 'transfers')
export class CertificatesController {
  @Operation({
    id: 'list-reward-certificates',
    summary: 'List the reward certificates of an account',
    reach: 'account',
    query: CertificatesQuery,
    paged: true,
    answer: described(CertificatesDto),
  })
  @Get()
  async list(@Listed() list: ListRequest<CertificatesQuery>): Promise<CertificatesDto> {
    const { accountId } = list.call;
    const certificates = await list.find(ListCertificates, { accountId, filters: certificateFilters(list.query) });
    return { 'reward-certificates': certificates.map(certificateDto) };
  }
}
