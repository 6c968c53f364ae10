import { BacktestPricingRules, CheckPricingRules, GetPricingRules, GetRulesVersion } from '@ponte/contracts';
import type { FastifyRequest } from 'fastify';
import type { AccountRequest } from '../../edge/request-context.service';
import type { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import type { OperationSpec } from '../../openapi/operation-spec';
import { described } from '../../openapi/operation-spec';
import type { BacktestEnvelopeDto } from './backtest.dto';
import { BACKTEST_EXAMPLE, BacktestEnvelopeDto as BacktestShape } from './backtest.dto';
import type { BacktestRequestDto as BacktestRequest, RulesCheckEnvelopeDto, RulesCheckRequestDto } from './rules.dto';
import type { RulesHistoryDto, RulesVersionEnvelopeDto } from './rules.dto';
import * as shapes from './rules.dto';
import { adoptedRulesDto, backtestDto, rulesCheckDto, rulesHistoryDto } from './rules.mapper';

type Spec = Omit<OperationSpec, 'id' | 'reach' | 'roles'>;

/** The operations on pricing rules, for staff members with a session and for operators with the staff token. */
export const RULES_OPERATIONS = {
  show: {
    summary: 'Get the current pricing rules and their history',
    answer: described(shapes.RulesHistoryDto, shapes.RULES_HISTORY_EXAMPLE),
  },
  version: {
    summary: 'Get a version of the pricing rules',
    answer: described(shapes.RulesVersionEnvelopeDto, { 'pricing-rules': shapes.ADOPTED_RULES_EXAMPLE }),
    errors: ['pricing-rules-not-found'],
  },
  check: {
    summary: 'Validate proposed pricing rules without changing anything',
    body: described(shapes.RulesCheckRequestDto, shapes.RULES_REQUEST_EXAMPLE),
    answer: described(shapes.RulesCheckEnvelopeDto, shapes.RULES_CHECK_EXAMPLE),
  },
  backtest: {
    summary: 'Price recent quotes again with proposed rules without changing anything',
    body: described(shapes.BacktestRequestDto, shapes.BACKTEST_REQUEST_EXAMPLE),
    answer: described(BacktestShape, BACKTEST_EXAMPLE),
  },
} as const satisfies Readonly<Record<string, Spec>>;

export const showRules = async (services: Services, { call }: FastifyRequest): Promise<RulesHistoryDto> =>
  rulesHistoryDto(await services.request(GetPricingRules, {}, call));

export async function showVersion(
  services: Services,
  { call, params }: AccountRequest,
): Promise<RulesVersionEnvelopeDto> {
  const adopted = await services.request(GetRulesVersion, { version: params['version'] ?? '' }, call);
  return { 'pricing-rules': adoptedRulesDto(found(adopted, 'pricing-rules-not-found')) };
}

export const checkRules = async (services: Services, { call, body }: FastifyRequest): Promise<RulesCheckEnvelopeDto> =>
  rulesCheckDto(await services.request(CheckPricingRules, { rules: (body as RulesCheckRequestDto).rules }, call));

export async function backtestRules(services: Services, { call, body }: FastifyRequest): Promise<BacktestEnvelopeDto> {
  const { rules, last, at = null } = body as BacktestRequest;
  return backtestDto(await services.request(BacktestPricingRules, { rules, last, at }, call));
}
