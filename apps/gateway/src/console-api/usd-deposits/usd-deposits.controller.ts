import { Get, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { DepositRecord, StaffRole } from '@ponte/contracts';
import {
  ConfirmUsdDeposit,
  LEDGER_TRANSIT_SUBJECT,
  ListUsdDeposits,
  RecordUsdDeposit,
  RejectUsdDeposit,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest, Call } from '../../edge/request-context';
import { Services } from '../../edge/request-context';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { signedIn } from '../../staff/call';
import { StaffOperation } from '../../staff/operation';
import { ROLES_OF } from '../../staff/roles';
import { depositDto } from '../../api/deposits/deposit.mapper';
import { maskedCoordinates } from '../deposits/deposit.mapper';
import type { StaffUsdDepositDto } from './usd-deposit.dto';
import { uuidIn } from '../../api/path';
import {
  STAFF_USD_DEPOSIT_EXAMPLE,
  StaffUsdDepositEnvelopeDto,
  StaffUsdDepositsDto,
  StaffUsdDepositsQuery,
  USD_DEPOSIT_REQUEST_EXAMPLE,
  UsdDepositRequestDto,
} from './usd-deposit.dto';

const DECIDERS: readonly StaffRole[] = ROLES_OF['staff-confirm-usd-deposit'];

const one = described(StaffUsdDepositEnvelopeDto, { deposit: STAFF_USD_DEPOSIT_EXAMPLE });

/**
 * USD that arrives outside all payment rails. One staff member records it with evidence, and it is credited only after
 * another one has confirmed it. Its source and target are masked as in the list of all deposits. While the deposit
 * waits for a decision, the roles that decide see them, to compare them with the bank statement.
 */
@Resource('staff/v1/usd-deposits', 'deposits')
export class UsdDepositsController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
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
      call,
    );
  }

  @StaffOperation('staff-list-usd-deposits', {
    summary: 'USD deposits of every account, newest first',
    query: StaffUsdDepositsQuery,
    paged: true,
    answer: described(StaffUsdDepositsDto, { deposits: [STAFF_USD_DEPOSIT_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest<StaffUsdDepositsQuery>): Promise<StaffUsdDepositsDto> {
    const records = await list.find(ListUsdDeposits, { status: list.query.status ?? null });
    return { deposits: await Promise.all(records.map((record) => this.dto(record, list.call))) };
  }

  @StaffOperation('staff-confirm-usd-deposit', {
    summary: 'Confirm a USD deposit that someone else recorded',
    answer: one,
    errors: ['deposit-not-found', 'account-not-active', 'review-not-open', 'second-approver-required'],
  })
  @Post(':id/confirm')
  async confirm(@Req() request: AccountRequest): Promise<StaffUsdDepositEnvelopeDto> {
    return this.shown(
      await this.services.request(ConfirmUsdDeposit, this.decided(request), request.call),
      request.call,
    );
  }

  @StaffOperation('staff-reject-usd-deposit', {
    summary: 'Reject a USD deposit that was recorded by mistake',
    answer: one,
    errors: ['deposit-not-found', 'review-not-open'],
  })
  @Post(':id/reject')
  async reject(@Req() request: AccountRequest): Promise<StaffUsdDepositEnvelopeDto> {
    return this.shown(await this.services.request(RejectUsdDeposit, this.decided(request), request.call), request.call);
  }

  private decided({ call, params }: AccountRequest): { depositId: string; staffId: string } {
    return { depositId: uuidIn(params, 'deposit-not-found'), staffId: signedIn(call).actor.staffId };
  }

  private async shown(record: DepositRecord, call: Call): Promise<StaffUsdDepositEnvelopeDto> {
    return { deposit: await this.dto(record, call) };
  }

  private async dto(record: DepositRecord, call: Call): Promise<StaffUsdDepositDto> {
    const clear = await depositDto(record, this.personalData);
    return {
      ...clear,
      coordinates: mayDecide(record, call) ? clear.coordinates : maskedCoordinates(clear.coordinates),
      'account-id': record.accountId,
      'recorded-by': record.recorded?.staffId ?? '',
      'document-sha-256': record.recorded?.evidence.documentSha256 ?? '',
    };
  }
}

const mayDecide = ({ status }: DepositRecord, call: Call): boolean =>
  status === 'created' && signedIn(call).actor.roles.some((role) => DECIDERS.includes(role));
