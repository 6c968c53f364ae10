import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { Operation, Resource } from '../../openapi/operation';
import type { BacktestEnvelopeDto } from './backtest.dto';
import type { RulesCheckEnvelopeDto, RulesHistoryDto, RulesVersionEnvelopeDto } from './rules.dto';
import { backtestRules, checkRules, RULES_OPERATIONS, showRules, showVersion } from './rules.operations';

/** Pricing rules for operators that use the staff token, for example with `npm run admin -- rules`. */
@Resource('staff/pricing-rules', 'pricing-rules')
export class OperatorRulesController {
  constructor(private readonly services: Services) {}

  @Operation({ ...RULES_OPERATIONS.show, id: 'operator-get-pricing-rules', reach: 'staff' })
  @Get()
  show(@Req() request: FastifyRequest): Promise<RulesHistoryDto> {
    return showRules(this.services, request);
  }

  @Operation({ ...RULES_OPERATIONS.version, id: 'operator-get-rules-version', reach: 'staff' })
  @Get(':version')
  version(@Req() request: AccountRequest): Promise<RulesVersionEnvelopeDto> {
    return showVersion(this.services, request);
  }

  @Operation({ ...RULES_OPERATIONS.check, id: 'operator-check-pricing-rules', reach: 'staff' })
  @Post('check')
  check(@Req() request: FastifyRequest): Promise<RulesCheckEnvelopeDto> {
    return checkRules(this.services, request);
  }

  @Operation({ ...RULES_OPERATIONS.backtest, id: 'operator-backtest-pricing-rules', reach: 'staff' })
  @Post('backtest')
  backtest(@Req() request: FastifyRequest): Promise<BacktestEnvelopeDto> {
    return backtestRules(this.services, request);
  }
}
