import { Get } from '@nestjs/common';
import type { FailedReturn } from '@ponte/contracts';
import { ListFailedReturns } from '@ponte/contracts';
import type { ListRequest } from '../../pagination/list-request';
import { PageQuery } from '../../pagination/page-query';
import { Listed } from '../../pagination/pagination';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import type { FailedReturnDto } from './failed-return.dto';
import { FAILED_RETURN_EXAMPLE, FailedReturnsDto } from './failed-return.dto';

/** Returns that the bank permanently refused. A staff member has to handle the money. */
@Resource('staff/v1/failed-returns', 'deposits')
export class FailedReturnsController {
  @StaffOperation('staff-list-failed-returns', {
    summary: 'List the payments that the bank permanently refused to return to their payers, newest deposit first',
    query: PageQuery,
    paged: true,
    answer: described(FailedReturnsDto, { 'failed-returns': [FAILED_RETURN_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest): Promise<FailedReturnsDto> {
    return { 'failed-returns': (await list.find(ListFailedReturns, {})).map(shown) };
  }
}

const shown = (failed: FailedReturn): FailedReturnDto => ({
  'deposit-id': failed.depositId,
  'account-id': failed.accountId,
  type: failed.type,
  asset: failed.asset,
  amount: failed.amount,
  'end-to-end-id': failed.endToEndId,
  reason: failed.reason,
  attempts: failed.attempts,
  'failed-at': failed.failedAt,
});
