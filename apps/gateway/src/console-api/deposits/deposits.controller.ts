import { Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { DepositRecord } from '@ponte/contracts';
import { GetAnyDeposit, ListAllDeposits } from '@ponte/contracts';
import { ASSET_IDS } from '@ponte/kernel';
import { Services } from '../../edge/request-context.service';
import { ShownPersonalData } from '../../personal-data/shown-personal-data.service';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import { depositFilters } from '../../api/deposits/deposit.mapper';
import type { StaffDepositDto } from './deposit.dto';
import { staffDepositDto } from './deposit.mapper';
import { PathId } from '../../api/path';
import { STAFF_DEPOSIT_EXAMPLE, StaffDepositEnvelopeDto, StaffDepositsDto, StaffDepositsQuery } from './deposit.dto';

/**
 * Deposits of all accounts and types. Senders are masked, so reading the list does not count as a view of personal
 * data. Chain addresses are public.
 */
@Resource('staff/v1/deposits', 'deposits')
export class StaffDepositsController {
  constructor(
    private readonly services: Services,
    private readonly personalData: ShownPersonalData,
  ) {}

  @StaffOperation('staff-list-deposits', {
    summary: 'List the deposits of every account',
    query: StaffDepositsQuery,
    paged: true,
    answer: described(StaffDepositsDto, { deposits: [STAFF_DEPOSIT_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest<StaffDepositsQuery>): Promise<StaffDepositsDto> {
    const { asset, 'account-id': accountId = null } = list.query;
    const filters = depositFilters(list.query, asset === undefined ? ASSET_IDS : [asset]);
    const records = await list.find(ListAllDeposits, { accountId, filters });
    return { deposits: await Promise.all(records.map((record) => this.shown(record))) };
  }

  @StaffOperation('staff-get-deposit', {
    summary: 'Show one deposit',
    answer: described(StaffDepositEnvelopeDto, { deposit: STAFF_DEPOSIT_EXAMPLE }),
    errors: ['deposit-not-found'],
  })
  @Get(':id')
  async get(
    @PathId('deposit-not-found') depositId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<StaffDepositEnvelopeDto> {
    const record = await this.services.request(GetAnyDeposit, { depositId }, call);
    return { deposit: await this.shown(found(record, 'deposit-not-found')) };
  }

  private shown(record: DepositRecord): Promise<StaffDepositDto> {
    return staffDepositDto(record, this.personalData);
  }
}
