import { Get } from '@nestjs/common';
import { ListAllAccounts } from '@ponte/contracts';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { PageQuery } from '../../pagination/page-query';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import { PartnersDto } from './partners.dto';

/** The partners, for the filter of the queue. */
@Resource('staff/v1/partners', 'queue')
export class PartnersController {
  @StaffOperation('staff-list-partners', {
    summary: 'List the partners',
    query: PageQuery,
    paged: true,
    answer: described(PartnersDto),
  })
  @Get()
  async list(@Listed() list: ListRequest): Promise<PartnersDto> {
    const partners = await list.find(ListAllAccounts, { onlyPartners: true });
    return { partners: partners.map(({ accountId, alias }) => ({ id: accountId, alias })) };
  }
}
