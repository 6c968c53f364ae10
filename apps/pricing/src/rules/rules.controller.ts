import { Controller } from '@nestjs/common';
import { BacktestPricingRules, CheckPricingRules, GetPricingRules, GetRulesVersion } from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { BacktestRulesQuery } from '../backtest/backtest-rules.query';
import { CheckRulesQuery, GetRulesQuery, GetRulesVersionQuery } from './rules.queries';

/** Answers the requests of staff about the rules. */
@Controller()
export class RulesMessages extends forwardRequests(
  [GetPricingRules, GetRulesQuery],
  [GetRulesVersion, GetRulesVersionQuery],
  [CheckPricingRules, CheckRulesQuery],
  [BacktestPricingRules, BacktestRulesQuery],
) {}
