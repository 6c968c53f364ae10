import { Post, Req } from '@nestjs/common';
import { ConfirmAccountClosing } from '@ponte/contracts';
import type { AccountRequest } from '../../edge/request-context.service';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import type { AccountStandingEnvelopeDto } from './freeze.dto';
import { ClosingDto, StepDecisionDto } from './freeze.dto';
import { StandingStep, StandingSteps } from './standing-steps.service';

/** Closes frozen accounts that are empty, or have nothing but dust: one staff member requests, another confirms. */
@Resource('staff/v1', 'accounts')
export class ClosingController {
  constructor(private readonly steps: StandingSteps) {}

  @StandingStep(
    'staff-request-closing',
    'Request the closing of a frozen account',
    [
      'account-not-active',
      'account-not-frozen',
      'account-in-use',
      'freeze-step-pending',
      'amount-below-minimum',
      'amount-above-maximum',
      'amount-scale-exceeded',
    ],
    described(ClosingDto),
  )
  @Post('accounts/:id/close')
  close(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.steps.closing(request);
  }

  @StandingStep(
    'staff-confirm-closing',
    'Close an account, as another staff member requested',
    ['account-not-active', 'account-in-use', 'second-member-required', 'freeze-step-not-pending'],
    described(StepDecisionDto),
  )
  @Post('accounts/:id/close/confirm')
  confirm(@Req() request: AccountRequest): Promise<AccountStandingEnvelopeDto> {
    return this.steps.decided(ConfirmAccountClosing, request);
  }
}
