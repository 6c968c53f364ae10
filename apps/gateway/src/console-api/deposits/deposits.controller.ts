import { Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DepositRecord } from '@ponte/contracts';
import { GetAnyDeposit, ListAllDeposits } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { ASSET_IDS, isUuid, maskTaxId } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context';
import { Services } from '../../edge/services';
import { notFound } from '../../errors/api-error';
import { Pagination } from '../../pagination/pagination';
import { described, Operation, Resource } from '../../openapi/operation';
import { staffOperation } from '../../staff/operation';
import type { CoordinatesDto } from '../../api/deposits/deposit.dto';
import { depositDto, depositFilters } from '../../api/deposits/deposit.mapper';
import type { StaffDepositDto } from './deposit.dto';
import { STAFF_DEPOSIT_EXAMPLE, StaffDepositEnvelopeDto, StaffDepositsDto, StaffDepositsQuery } from './deposit.dto';

const MASKED = '***';

/**
 * Deposits of every account and type. Senders are masked, so that looking at the list is no view of personal data;
 * addresses of chains are public.
 */
@Resource('staff/v1/deposits', 'deposits')
export class StaffDepositsController {
  constructor(
    private readonly services: Services,
    private readonly pagination: Pagination,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation(
    staffOperation('staff-list-deposits', {
      summary: 'Deposits of every account, newest first',
      query: StaffDepositsQuery,
      paged: true,
      answer: described(StaffDepositsDto, { deposits: [STAFF_DEPOSIT_EXAMPLE] }),
    }),
  )
  @Get()
  async list(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StaffDepositsDto> {
    const query = request.query as StaffDepositsQuery;
    const assets = query.asset === undefined ? ASSET_IDS : [query.asset];
    const asked = {
      accountId: query['account-id'] ?? null,
      filters: depositFilters(query, assets),
      page: this.pagination.page(request),
    };
    const items = this.pagination.items(
      await this.services.request(ListAllDeposits, asked, request.call),
      request,
      reply,
    );
    return { deposits: await Promise.all(items.map((record) => this.shown(record))) };
  }

  @Operation(
    staffOperation('staff-get-deposit', {
      summary: 'One deposit',
      answer: described(StaffDepositEnvelopeDto, { deposit: STAFF_DEPOSIT_EXAMPLE }),
      errors: ['deposit-not-found'],
    }),
  )
  @Get(':id')
  async get(@Req() { call, params }: AccountRequest): Promise<StaffDepositEnvelopeDto> {
    const depositId = params['id'];
    const record = isUuid(depositId) ? await this.services.request(GetAnyDeposit, { depositId }, call) : null;
    if (!record) throw notFound('deposit-not-found');
    return { deposit: await this.shown(record) };
  }

  private async shown(record: DepositRecord): Promise<StaffDepositDto> {
    const clear = await depositDto(record, this.personalData);
    return { ...clear, coordinates: masked(clear.coordinates), asset: record.asset, 'account-id': record.accountId };
  }
}

function masked(coordinates: CoordinatesDto): CoordinatesDto {
  const taxId = coordinates['source-tax-id'];
  if (taxId === undefined)
    return {
      ...coordinates,
      ...(coordinates.source === undefined
        ? {}
        : { source: coordinates.source && MASKED, target: coordinates.target ? MASKED : null }),
    };
  // Once more masked is masked all the same.
  const hidden = taxId === ERASED || taxId.includes('*') ? taxId : maskTaxId(taxId);
  return { ...coordinates, 'source-tax-id': hidden, 'source-account-number': MASKED, 'source-branch-code': MASKED };
}
