import { Get, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { DepositRecord } from '@ponte/contracts';
import {
  ConfirmUsdDeposit,
  GetAnyDeposit,
  LEDGER_TRANSIT_SUBJECT,
  ListUsdDeposits,
  RecordUsdDeposit,
  RecordUsdDepositView,
  RejectUsdDeposit,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { ShownPersonalData } from '../../personal-data/shown-personal-data.service';
import { found, notFound } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { signedIn } from '../../staff/call';
import { StaffOperation } from '../../staff/operation';
import { depositDto } from '../../api/deposits/deposit.mapper';
import { maskedCoordinates } from '../deposits/deposit.mapper';
import type { StaffUsdDepositDto } from './usd-deposit.dto';
import { PathId, uuidIn } from '../../api/path';
import {
  STAFF_USD_DEPOSIT_EXAMPLE,
  StaffUsdDepositEnvelopeDto,
  StaffUsdDepositsDto,
  StaffUsdDepositQuery,
  StaffUsdDepositsQuery,
  USD_DEPOSIT_REQUEST_EXAMPLE,
  UsdDepositRequestDto,
} from './usd-deposit.dto';

const one = described(StaffUsdDepositEnvelopeDto, { deposit: STAFF_USD_DEPOSIT_EXAMPLE });

/**
 * USD that arrives outside all payment rails. One staff member records it with evidence, and it is credited only after
 * another one has confirmed it. Its source and target may name the account holder, so they are masked. The roles that
 * decide may open them while the deposit waits, to compare them with the bank statement, and each view is recorded.
 */
@Resource('staff/v1/usd-deposits', 'deposits')
export class UsdDepositsController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    private readonly shownPersonalData: ShownPersonalData,
  ) {}

  @StaffOperation('staff-record-usd-deposit', {
    summary: 'Record a USD deposit, with evidence',
    body: described(UsdDepositRequestDto, USD_DEPOSIT_REQUEST_EXAMPLE),
    answer: one,
    errors: [
      'amount-must-be-string',
      'amount-scale-exceeded',
      'account-not-found',
      'account-not-active',
      'external-id-already-used',
    ],
  })
  @Post()
  async record(@Req() { call, body }: FastifyRequest): Promise<StaffUsdDepositEnvelopeDto> {
    const input = body as UsdDepositRequestDto;
    const coordinates = await this.personalData.seal(
      LEDGER_TRANSIT_SUBJECT,
      JSON.stringify({ source: input.source ?? null, target: input.target ?? null }),
    );
    return this.shown(
      await this.services.request(
        RecordUsdDeposit,
        {
          accountId: input['account-id'],
          amount: input.amount,
          coordinates,
          staffId: signedIn(call).actor.staffId,
          evidence: { bankReference: input['bank-reference'], documentSha256: input['document-sha-256'] },
        },
        call,
      ),
    );
  }

  @StaffOperation('staff-list-usd-deposits', {
    summary: 'List the USD deposits of every account',
    query: StaffUsdDepositsQuery,
    paged: true,
    answer: described(StaffUsdDepositsDto, { deposits: [STAFF_USD_DEPOSIT_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest<StaffUsdDepositsQuery>): Promise<StaffUsdDepositsDto> {
    const records = await list.find(ListUsdDeposits, { status: list.query.status ?? null });
    return { deposits: await Promise.all(records.map((record) => this.masked(record))) };
  }

  @StaffOperation('staff-open-usd-deposit', {
    summary: 'Show a USD deposit with its source and target while it waits for a decision. The view is recorded',
    query: StaffUsdDepositQuery,
    answer: one,
    errors: ['deposit-not-found', 'personal-data-restricted'],
  })
  @Get(':id')
  async open(
    @PathId('deposit-not-found') depositId: string,
    @Req() { call, query }: FastifyRequest,
  ): Promise<StaffUsdDepositEnvelopeDto> {
    const record = found(await this.services.request(GetAnyDeposit, { depositId }, call), 'deposit-not-found');
    if (record.recorded === null) throw notFound('deposit-not-found');
    if (record.status !== 'created') return this.shown(record);
    const { accountId } = record;
    const { purpose } = query as StaffUsdDepositQuery;
    await this.services.request(RecordUsdDepositView, { accountId, staff: signedIn(call).actor, purpose }, call);
    return { deposit: await this.clear(record) };
  }

  @StaffOperation('staff-confirm-usd-deposit', {
    summary: 'Confirm a USD deposit that someone else recorded',
    answer: one,
    errors: ['deposit-not-found', 'account-not-active', 'review-not-open', 'second-approver-required'],
  })
  @Post(':id/confirm')
  async confirm(@Req() request: AccountRequest): Promise<StaffUsdDepositEnvelopeDto> {
    return this.shown(await this.services.request(ConfirmUsdDeposit, this.decided(request), request.call));
  }

  @StaffOperation('staff-reject-usd-deposit', {
    summary: 'Reject a USD deposit that was recorded by mistake',
    answer: one,
    errors: ['deposit-not-found', 'review-not-open'],
  })
  @Post(':id/reject')
  async reject(@Req() request: AccountRequest): Promise<StaffUsdDepositEnvelopeDto> {
    return this.shown(await this.services.request(RejectUsdDeposit, this.decided(request), request.call));
  }

  private decided({ call, params }: AccountRequest): { depositId: string; staffId: string } {
    return { depositId: uuidIn(params, 'deposit-not-found'), staffId: signedIn(call).actor.staffId };
  }

  /** Without the source and the target. */
  private async shown(record: DepositRecord): Promise<StaffUsdDepositEnvelopeDto> {
    return { deposit: await this.masked(record) };
  }

  private async masked(record: DepositRecord): Promise<StaffUsdDepositDto> {
    const clear = await this.clear(record);
    return { ...clear, coordinates: maskedCoordinates(clear.coordinates) };
  }

  private async clear(record: DepositRecord): Promise<StaffUsdDepositDto> {
    return {
      ...(await depositDto(record, this.shownPersonalData)),
      'account-id': record.accountId,
      'recorded-by': record.recorded?.staffId ?? '',
      'document-sha-256': record.recorded?.evidence.documentSha256 ?? '',
    };
  }
}
