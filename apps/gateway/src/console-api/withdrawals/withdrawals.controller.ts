import { Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { WithdrawalRecord } from '@ponte/contracts';
import { GetAnyWithdrawal, ListAllWithdrawals } from '@ponte/contracts';
import { isPlaceholder } from '@ponte/event-sourcing';
import { maskTaxId, toWire } from '@ponte/kernel';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import { withdrawalDto, withdrawalFilters } from '../../api/withdrawals/withdrawal.mapper';
import { ShownPersonalData } from '../../personal-data/shown-personal-data.service';
import { reviewDto } from '../address-reviews/address-review.mapper';
import type { StaffWithdrawalDto } from './withdrawal.dto';
import { PathId } from '../../api/path';
import {
  STAFF_WITHDRAWAL_EXAMPLE,
  StaffWithdrawalEnvelopeDto,
  StaffWithdrawalsDto,
  StaffWithdrawalsQuery,
} from './withdrawal.dto';

const MASKED = '***';

/** Withdrawals of all accounts. Payees are masked, so reading the list does not count as a view of personal data. */
@Resource('staff/v1/withdrawals', 'withdrawals')
export class StaffWithdrawalsController {
  constructor(
    private readonly services: Services,
    private readonly personalData: ShownPersonalData,
  ) {}

  @StaffOperation('staff-list-withdrawals', {
    summary: 'List the withdrawals of every account',
    query: StaffWithdrawalsQuery,
    paged: true,
    answer: described(StaffWithdrawalsDto, { withdrawals: [STAFF_WITHDRAWAL_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest<StaffWithdrawalsQuery>): Promise<StaffWithdrawalsDto> {
    const accountId = list.query['account-id'] ?? null;
    const records = await list.find(ListAllWithdrawals, { accountId, filters: withdrawalFilters(list.query) });
    return { withdrawals: await Promise.all(records.map((record) => this.shown(record))) };
  }

  @StaffOperation('staff-get-withdrawal', {
    summary: 'Show one withdrawal',
    answer: described(StaffWithdrawalEnvelopeDto, { withdrawal: STAFF_WITHDRAWAL_EXAMPLE }),
    errors: ['withdrawal-not-found'],
  })
  @Get(':id')
  async get(
    @PathId('withdrawal-not-found') withdrawalId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<StaffWithdrawalEnvelopeDto> {
    const record = await this.services.request(GetAnyWithdrawal, { withdrawalId }, call);
    return { withdrawal: await this.shown(found(record, 'withdrawal-not-found')) };
  }

  private async shown(record: WithdrawalRecord): Promise<StaffWithdrawalDto> {
    const clear = await withdrawalDto(record, this.personalData);
    const mask = (name: 'pix-key' | 'account-number' | 'branch-number' | 'account-holder-name') =>
      clear[name] === undefined ? {} : { [name]: MASKED };
    const taxId = clear['account-holder-tax-id'];
    return {
      ...clear,
      ...mask('pix-key'),
      ...mask('account-number'),
      ...mask('branch-number'),
      ...mask('account-holder-name'),
      ...(taxId === undefined ? {} : { 'account-holder-tax-id': isPlaceholder(taxId) ? taxId : maskTaxId(taxId) }),
      ...(record.review ? { review: await reviewDto(record.id, record.review, null) } : {}),
      ...toWire(record, 'accountId', 'createdBy', 'createdByApiKey'),
    };
  }
}
