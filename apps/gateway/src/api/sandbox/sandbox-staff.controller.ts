import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AdvanceClock, GetBank, SetBankBehaviour } from '@ponte/contracts';
import { Services } from '../../edge/request-context.service';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { BANK_BEHAVIOUR_EXAMPLE, BANK_EXAMPLE, BankBehaviourDto, bankDto, BankEnvelopeDto } from './bank.dto';
import { advanceViolations, CLOCK_ADVANCE_EXAMPLE, ClockAdvanceDto, clockDto, ClockEnvelopeDto } from './clock.dto';

/** Lets operators control the time and the bank of a sandbox. A production process does not have these routes. */
@Resource('staff/sandbox', 'staff')
export class SandboxStaffController {
  constructor(private readonly services: Services) {}

  @Operation({
    id: 'staff-advance-clock',
    summary: 'Advance business time',
    reach: 'staff',
    body: described(ClockAdvanceDto, CLOCK_ADVANCE_EXAMPLE, { violations: advanceViolations }),
    answer: described(ClockEnvelopeDto),
  })
  @Post('clock/advance')
  async advanceClock(@Req() { call, body }: FastifyRequest): Promise<ClockEnvelopeDto> {
    const { seconds = null, until = null } = body as ClockAdvanceDto;
    return clockDto(await this.services.request(AdvanceClock, { seconds, until }, call));
  }

  @Operation({
    id: 'staff-get-bank',
    summary: 'Get the behaviour and the books of the simulated bank',
    reach: 'staff',
    answer: described(BankEnvelopeDto, BANK_EXAMPLE),
  })
  @Get('bank')
  async bank(@Req() { call }: FastifyRequest): Promise<BankEnvelopeDto> {
    return bankDto(await this.services.request(GetBank, {}, call));
  }

  @Operation({
    id: 'staff-set-bank-behaviour',
    summary: 'Set faults of the simulated bank',
    reach: 'staff',
    body: described(BankBehaviourDto, BANK_BEHAVIOUR_EXAMPLE),
    answer: described(BankEnvelopeDto, BANK_EXAMPLE),
    errors: ['deposit-not-found'],
  })
  @Post('bank')
  async misbehave(@Req() { call, body }: FastifyRequest): Promise<BankEnvelopeDto> {
    const {
      callbacks = null,
      returns = null,
      settlement = null,
      fault,
      'clear-faults': clearFaults = false,
      'take-back': takeBack = null,
    } = body as BankBehaviourDto;
    return bankDto(
      await this.services.request(
        SetBankBehaviour,
        { callbacks, returns, settlement, faults: fault ? [fault] : [], clearFaults, takeBack },
        call,
      ),
    );
  }
}
