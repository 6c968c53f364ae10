import { Post, Req } from '@nestjs/common';
import { ConfirmAccountClosing, RequestAccountClosing } from '@ponte/contracts';
import type { AccountRequest } from '../../edge/request-context';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import type { AccountStandingEnvelopeDto } from './freeze.dto';
import { ClosingDto, StepDecisionDto } from './freeze.dto';
import { StandingStep, StandingSteps } from './standing-steps';

/** Closes frozen accounts that are empty: one staff member requests, another confirms. */
@Resource('staff/v1', 'accounts')
export class ClosingController {
  constructor(private readonly steps: StandingSteps) {}

  @StandingStep(
    'staff-request-closing',
    'Ask for the closing of a frozen account',
    ['account-not-active', 'account-not-frozen', 'account-in-use', 'freeze-step-pending'],
    described(ClosingDto),
  )
  @Post('accounts/:id/close')
  close(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.steps.requested(RequestAccountClosing, request);
  }

  @StandingStep(
    'staff-confirm-closing',
    'Close an account that another member asked to close',
    ['account-not-active', 'account-in-use', 'second-member-required', 'freeze-step-not-pending'],
    described(StepDecisionDto),
  )
  @Post('accounts/:id/close/confirm')
  confirm(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.steps.decided(ConfirmAccountClosing, request);
  }
}
