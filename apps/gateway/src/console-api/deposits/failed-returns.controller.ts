import { Get, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  ConfirmSuspenseSettlement,
  GetFailedReturn,
  ListFailedReturns,
  ProposeSuspenseSettlement,
  RecordNoteView,
  RejectSuspenseSettlement,
  sealSettlementNote,
} from '@ponte/contracts';
import type { FailedReturn } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { LOGGER, PERSONAL_DATA } from '@ponte/nest';
import type { Logger } from 'pino';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { signedIn } from '../../staff/call';
import { StaffOperation } from '../../staff/operation';
import { PathId } from '../../api/path';
import {
  FAILED_RETURN_EXAMPLE,
  FailedReturnEnvelopeDto,
  FailedReturnQuery,
  FailedReturnsDto,
  FailedReturnsQuery,
  SETTLEMENT_DECISION_EXAMPLE,
  SETTLEMENT_REQUEST_EXAMPLE,
  SettlementDecisionDto,
  SettlementRequestDto,
} from './failed-return.dto';
import { failedReturnDto } from './failed-return.mapper';

const decision = described(SettlementDecisionDto, SETTLEMENT_DECISION_EXAMPLE);
const one = described(FailedReturnEnvelopeDto, { 'failed-return': FAILED_RETURN_EXAMPLE });

/**
 * Payments in suspense: the bank permanently refused to return them, no account may receive them, or they are tokens of
 * a closed account. One staff member sends the money back at the bank and proposes the settlement, or proposes where
 * tokens go, and another one confirms it.
 */
@Resource('staff/v1/failed-returns', 'deposits')
export class FailedReturnsController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @StaffOperation('staff-list-failed-returns', {
    summary: 'List the payments and tokens that are or were in suspense, newest deposit first',
    query: FailedReturnsQuery,
    paged: true,
    answer: described(FailedReturnsDto, { 'failed-returns': [FAILED_RETURN_EXAMPLE] }),
  })
  @Get()
  async list(@Listed() list: ListRequest<FailedReturnsQuery>): Promise<FailedReturnsDto> {
    const { status = null, cause = null } = list.query;
    const listed = await list.find(ListFailedReturns, { filters: { status, cause } });
    return { 'failed-returns': await Promise.all(listed.map((one) => failedReturnDto(one, null))) };
  }

  @StaffOperation('staff-open-failed-return', {
    summary: 'Show what is in suspense for one deposit, with the note of its settlement. The view is recorded',
    query: FailedReturnQuery,
    answer: one,
    errors: ['failed-return-not-found', 'personal-data-restricted'],
  })
  @Get(':id')
  async open(
    @PathId('failed-return-not-found') depositId: string,
    @Req() { call, query }: FastifyRequest,
  ): Promise<FailedReturnEnvelopeDto> {
    const known = await this.services.request(GetFailedReturn, { depositId }, call);
    const { failedReturn, payerId } = found(known, 'failed-return-not-found');
    if (failedReturn.settlement === null) return shown(failedReturn);
    const { purpose } = query as FailedReturnQuery;
    await this.services.request(RecordNoteView, { payerId, staff: signedIn(call).actor, purpose }, call);
    const { personalData, logger } = this;
    return { 'failed-return': await failedReturnDto(failedReturn, { personalData, logger, call }) };
  }

  @StaffOperation('staff-propose-settlement', {
    summary: 'Propose a settlement: say with which payment the bank sent the money back',
    body: described(SettlementRequestDto, SETTLEMENT_REQUEST_EXAMPLE),
    answer: one,
    errors: [
      'failed-return-not-found',
      'settlement-pending',
      'payment-already-settled',
      'method-asset-mismatch',
      'bank-reference-already-used',
      'bank-reference-booked',
    ],
  })
  @Post(':id/settlement')
  async propose(
    @PathId('failed-return-not-found') depositId: string,
    @Req() { call, body }: FastifyRequest,
  ): Promise<FailedReturnEnvelopeDto> {
    const { 'bank-reference': bankReference, note: text } = body as SettlementRequestDto;
    const note = await sealSettlementNote(this.personalData, text);
    const proposal = { depositId, bankReference, note, staffId: signedIn(call).actor.staffId };
    return shown(await this.services.request(ProposeSuspenseSettlement, proposal, call));
  }

  @StaffOperation('staff-confirm-settlement', {
    summary: 'Confirm the settlement that another staff member proposed',
    body: decision,
    answer: one,
    errors: [
      'failed-return-not-found',
      'settlement-not-pending',
      'second-member-required',
      'payment-already-settled',
      'bank-reference-already-used',
      'bank-reference-booked',
      'payer-account-frozen',
      // Of the address, for tokens.
      'address-refused',
      'invalid-address',
      'same-source-and-target',
      'asset-not-supported',
      'amount-above-maximum',
    ],
  })
  @Post(':id/settlement/confirm')
  confirm(
    @PathId('failed-return-not-found') depositId: string,
    @Req() request: FastifyRequest,
  ): Promise<FailedReturnEnvelopeDto> {
    return this.decide(ConfirmSuspenseSettlement, depositId, request);
  }

  @StaffOperation('staff-reject-settlement', {
    summary: 'Reject the settlement that another staff member proposed. Another one can be proposed',
    body: decision,
    answer: one,
    errors: ['failed-return-not-found', 'settlement-not-pending', 'second-member-required', 'payment-already-settled'],
  })
  @Post(':id/settlement/reject')
  reject(
    @PathId('failed-return-not-found') depositId: string,
    @Req() request: FastifyRequest,
  ): Promise<FailedReturnEnvelopeDto> {
    return this.decide(RejectSuspenseSettlement, depositId, request);
  }

  private async decide(
    decided: typeof ConfirmSuspenseSettlement | typeof RejectSuspenseSettlement,
    depositId: string,
    { call, body }: FastifyRequest,
  ): Promise<FailedReturnEnvelopeDto> {
    const { staffId } = signedIn(call).actor;
    const { proposal } = body as SettlementDecisionDto;
    return shown(await this.services.request(decided, { depositId, proposal, staffId }, call));
  }
}

/** Without the note of the settlement. */
const shown = async (failed: FailedReturn): Promise<FailedReturnEnvelopeDto> => ({
  'failed-return': await failedReturnDto(failed, null),
});
