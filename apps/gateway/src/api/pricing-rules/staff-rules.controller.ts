import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import type { BacktestEnvelopeDto } from './backtest.dto';
import type { RulesCheckEnvelopeDto, RulesHistoryDto, RulesVersionEnvelopeDto } from './rules.dto';
import { backtestRules, checkRules, RULES_OPERATIONS, showRules, showVersion } from './rules.operations';

/** Pricing rules for staff members who are signed in. */
@Resource('staff/v1/pricing-rules', 'pricing-rules')
export class StaffRulesController {
  constructor(private readonly services: Services) {}

  @StaffOperation('staff-get-pricing-rules', RULES_OPERATIONS.show)
  @Get()
  show(@Req() request: FastifyRequest): Promise<RulesHistoryDto> {
    return showRules(this.services, request);
  }

  @StaffOperation('staff-get-rules-version', RULES_OPERATIONS.version)
  @Get(':version')
  version(@Req() request: AccountRequest): Promise<RulesVersionEnvelopeDto> {
    return showVersion(this.services, request);
  }

  @StaffOperation('staff-check-pricing-rules', RULES_OPERATIONS.check)
  @Post('check')
  check(@Req() request: FastifyRequest): Promise<RulesCheckEnvelopeDto> {
    return checkRules(this.services, request);
  }

  @StaffOperation('staff-backtest-pricing-rules', RULES_OPERATIONS.backtest)
  @Post('backtest')
  backtest(@Req() request: FastifyRequest): Promise<BacktestEnvelopeDto> {
    return backtestRules(this.services, request);
  }
}
