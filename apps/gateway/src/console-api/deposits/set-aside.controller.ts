import { Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ConfirmSetAside, RejectSetAside, RequestSetAside } from '@ponte/contracts';
import { PathId } from '../../api/path';
import { Services } from '../../edge/request-context.service';
import { ShownPersonalData } from '../../personal-data/shown-personal-data.service';
import { Resource } from '../../openapi/operation';
import { described } from '../../openapi/operation-spec';
import { signedIn } from '../../staff/call';
import { StaffOperation } from '../../staff/operation';
import { STAFF_DEPOSIT_EXAMPLE, StaffDepositEnvelopeDto } from './deposit.dto';
import { staffDepositDto } from './deposit.mapper';
import { SET_ASIDE_DECISION_EXAMPLE, SetAsideDecisionDto } from './set-aside.dto';

const decision = described(SetAsideDecisionDto, SET_ASIDE_DECISION_EXAMPLE);
const one = described(StaffDepositEnvelopeDto, { deposit: STAFF_DEPOSIT_EXAMPLE });

/** Tokens that arrived at a closed account. One staff member asks to set them aside, and another one confirms it. */
@Resource('staff/v1/deposits', 'deposits')
export class SetAsideController {
  constructor(
    private readonly services: Services,
    private readonly personalData: ShownPersonalData,
  ) {}

  @StaffOperation('staff-request-set-aside', {
    summary: 'Request to set aside tokens that arrived at a closed account',
    answer: one,
    errors: ['deposit-not-found', 'deposit-not-waiting', 'account-not-closed', 'set-aside-pending'],
  })
  @Post(':id/set-aside')
  async request(
    @PathId('deposit-not-found') depositId: string,
    @Req() { call }: FastifyRequest,
  ): Promise<StaffDepositEnvelopeDto> {
    const { staffId } = signedIn(call).actor;
    const record = await this.services.request(RequestSetAside, { depositId, staffId }, call);
    return { deposit: await staffDepositDto(record, this.personalData) };
  }

  @StaffOperation('staff-confirm-set-aside', {
    summary: 'Confirm that tokens of a closed account are set aside. The deposit is voided',
    body: decision,
    answer: one,
    errors: [
      'deposit-not-found',
      'deposit-not-waiting',
      'account-not-closed',
      'set-aside-not-pending',
      'second-member-required',
    ],
  })
  @Post(':id/set-aside/confirm')
  confirm(
    @PathId('deposit-not-found') depositId: string,
    @Req() request: FastifyRequest,
  ): Promise<StaffDepositEnvelopeDto> {
    return this.decide(ConfirmSetAside, depositId, request);
  }

  @StaffOperation('staff-reject-set-aside', {
    summary: 'Reject or withdraw the request to set tokens of a closed account aside',
    body: decision,
    answer: one,
    errors: ['deposit-not-found', 'set-aside-not-pending'],
  })
  @Post(':id/set-aside/reject')
  reject(
    @PathId('deposit-not-found') depositId: string,
    @Req() request: FastifyRequest,
  ): Promise<StaffDepositEnvelopeDto> {
    return this.decide(RejectSetAside, depositId, request);
  }

  private async decide(
    decided: typeof ConfirmSetAside | typeof RejectSetAside,
    depositId: string,
    { call, body }: FastifyRequest,
  ): Promise<StaffDepositEnvelopeDto> {
    const { staffId } = signedIn(call).actor;
    const { request } = body as SetAsideDecisionDto;
    const record = await this.services.request(decided, { depositId, request, staffId }, call);
    return { deposit: await staffDepositDto(record, this.personalData) };
  }
}
