import { Get } from '@nestjs/common';
import type { RefusedPayoutRecord } from '@ponte/contracts';
import { ListRefusedPayouts } from '@ponte/contracts';
import { toWire } from '@ponte/kernel';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import type { RefusedPayoutDto } from './refused-payout.dto';
import { REFUSED_PAYOUT_EXAMPLE, RefusedPayoutsDto, RefusedPayoutsQuery } from './refused-payout.dto';

/** Payouts whose withdrawals were rolled back. If the bank makes one anyway, staff reclaim the money. */
@Resource('staff/v1/refused-payouts', 'withdrawals')
export class RefusedPayoutsController {
  @StaffOperation('staff-list-refused-payouts', {
    summary: 'List the payouts that the bank refused, cancelled or did not have, the latest rollback first',
    query: RefusedPayoutsQuery,
    paged: true,
    answer: described(RefusedPayoutsDto, { 'refused-payouts': [REFUSED_PAYOUT_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest<RefusedPayoutsQuery>): Promise<RefusedPayoutsDto> {
    const { status = null } = list.query;
    return { 'refused-payouts': (await list.find(ListRefusedPayouts, { status })).map(refusedPayoutDto) };
  }
}

const refusedPayoutDto = (payout: RefusedPayoutRecord): RefusedPayoutDto => ({
  ...toWire(payout, 'withdrawalId', 'accountId', 'orderId', 'status', 'method', 'asset', 'amount', 'reason'),
  ...toWire(payout, 'rolledBackAt', 'checkAgainAt', 'endToEndId', 'postedAt'),
});
