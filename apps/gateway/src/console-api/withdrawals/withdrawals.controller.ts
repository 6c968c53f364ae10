import { Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { WithdrawalRecord } from '@ponte/contracts';
import { GetAnyWithdrawal, ListAllWithdrawals } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { isUuid, maskTaxId } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import { Pagination } from '../../pagination/pagination';
import { described, Operation, Resource } from '../../openapi/operation';
import { staffOperation } from '../../staff/operation';
import { withdrawalDto, withdrawalFilters } from '../../api/withdrawals/withdrawal.mapper';
import { reviewDto } from '../address-reviews/address-review.mapper';
import type { StaffWithdrawalDto } from './withdrawal.dto';
import {
  STAFF_WITHDRAWAL_EXAMPLE,
  StaffWithdrawalEnvelopeDto,
  StaffWithdrawalsDto,
  StaffWithdrawalsQuery,
} from './withdrawal.dto';

const MASKED = '***';

/** Withdrawals of every account. Payees are masked, so that looking at the list is no view of personal data. */
@Resource('staff/v1/withdrawals', 'withdrawals')
export class StaffWithdrawalsController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation(
    staffOperation('staff-list-withdrawals', {
      summary: 'Withdrawals of every account, newest first',
      query: StaffWithdrawalsQuery,
      paged: true,
      answer: described(StaffWithdrawalsDto, { withdrawals: [STAFF_WITHDRAWAL_EXAMPLE] }),
    }),
  )
  @Get()
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StaffWithdrawalsDto> {
    const query = request.query as StaffWithdrawalsQuery;
    const asked = {
      accountId: query['account-id'] ?? null,
      filters: withdrawalFilters(query),
      page: this.pagination.page(request),
    };
    const items = this.pagination.items(
      await this.services.request(ListAllWithdrawals, asked, request.call),
      request,
      reply,
    );
    return { withdrawals: await Promise.all(items.map((record) => this.shown(record))) };
  }

  @Operation(
    staffOperation('staff-get-withdrawal', {
      summary: 'One withdrawal',
      answer: described(StaffWithdrawalEnvelopeDto, { withdrawal: STAFF_WITHDRAWAL_EXAMPLE }),
      errors: ['withdrawal-not-found'],
    }),
  )
  @Get(':id')
  async get(@Req() { call, params }: AccountRequest): Promise<StaffWithdrawalEnvelopeDto> {
    const withdrawalId = params['id'];
    const record = isUuid(withdrawalId) ? await this.services.request(GetAnyWithdrawal, { withdrawalId }, call) : null;
    if (!record) throw notFound('withdrawal-not-found');
    return { withdrawal: await this.shown(record) };
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
      ...(taxId === undefined ? {} : { 'account-holder-tax-id': taxId === ERASED ? taxId : maskTaxId(taxId) }),
      ...(record.review ? { review: reviewDto(record.review) } : {}),
      'account-id': record.accountId,
      'created-by': record.createdBy,
      'created-by-api-key': record.createdByApiKey,
    };
  }
}
