import { Get, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ListCertificates } from '@ponte/contracts';
import { Services } from '../../edge/services';
import { Pagination } from '../../pagination/pagination';
import { described, Operation, Resource } from '../../openapi/operation';
import { CERTIFICATE_EXAMPLE, CertificatesDto, CertificatesQuery } from './certificate.dto';
import { certificateDto, certificateFilters } from './certificate.mapper';

/** Reward certificates that an account has or had. */
@Resource('api/v1/accounts/:accountId/reward-certificates', 'transfers')
export class CertificatesController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
  ) {}

  @Operation({
    id: 'list-reward-certificates',
    summary: 'Reward certificates of an account',
    reach: 'account',
    query: CertificatesQuery,
    paged: true,
    answer: described(CertificatesDto, { 'reward-certificates': [CERTIFICATE_EXAMPLE] }),
  })
  @Get()
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CertificatesDto> {
    const { accountId } = request.call;
    const asked = {
      accountId,
      filters: certificateFilters(request.query as CertificatesQuery),
      page: this.pagination.page(request),
    };
    const page = await this.services.request(ListCertificates, asked, request.call);
    return { 'reward-certificates': this.pagination.items(page, request, reply).map(certificateDto) };
  }
}
