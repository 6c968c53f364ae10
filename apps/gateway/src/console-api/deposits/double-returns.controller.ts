import { Get } from '@nestjs/common';
import type { DoubleReturn } from '@ponte/contracts';
import { ListDoubleReturns } from '@ponte/contracts';
import { toWire } from '@ponte/kernel';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import type { DoubleReturnDto } from './double-return.dto';
import { DOUBLE_RETURN_EXAMPLE, DoubleReturnsDto, DoubleReturnsQuery } from './double-return.dto';

/** Payments that the bank took back although they had been paid back before. Staff reclaim one of the two amounts. */
@Resource('staff/v1/double-returns', 'deposits')
export class DoubleReturnsController {
  @StaffOperation('staff-list-double-returns', {
    summary: 'List the payments that the bank took back although they had been paid back',
    query: DoubleReturnsQuery,
    paged: true,
    answer: described(DoubleReturnsDto, { 'double-returns': [DOUBLE_RETURN_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest<DoubleReturnsQuery>): Promise<DoubleReturnsDto> {
    return { 'double-returns': (await list.find(ListDoubleReturns, {})).map(doubleReturnDto) };
  }
}

const doubleReturnDto = (double: DoubleReturn): DoubleReturnDto => ({
  ...toWire(double, 'depositId', 'accountId', 'type', 'asset', 'amount', 'endToEndId', 'reason'),
  ...toWire(double, 'returnId', 'bankReturnId', 'bankReference', 'postedAt'),
});
