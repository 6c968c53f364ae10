import type {
  AdoptedRules,
  BacktestReport,
  PairTotals,
  RepricedQuote,
  RepricedTerms,
  RulesCheck,
} from '@ponte/contracts';
import type { RulesHistory, RulesVersion } from '@ponte/contracts';
import { toWire } from '@ponte/kernel';
import type { BacktestEnvelopeDto, PairTotalsDto, RepricedQuoteDto, RepricedTermsDto } from './backtest.dto';
import type {
  AdoptedRulesDto,
  AdoptionDto,
  RulesCheckEnvelopeDto,
  RulesHistoryDto,
  RulesVersionDto,
} from './rules.dto';

const versionDto = (rules: RulesVersion): RulesVersionDto => toWire(rules, 'version', 'id', 'validFrom', 'validTo');

const adoptionDto = (rules: RulesVersion & { readonly adoptedAt: string }): AdoptionDto => ({
  ...versionDto(rules),
  'adopted-at': rules.adoptedAt,
});

export const adoptedRulesDto = (rules: AdoptedRules): AdoptedRulesDto => ({
  ...adoptionDto(rules),
  tables: rules.tables,
});

export const rulesHistoryDto = ({ inForce, history }: RulesHistory): RulesHistoryDto => ({
  'in-force': adoptedRulesDto(inForce),
  history: history.map(adoptionDto),
});

export const rulesCheckDto = (check: RulesCheck): RulesCheckEnvelopeDto => ({
  check: { ...versionDto(check), violations: check.violations.map((one) => ({ ...one })) },
});

export const backtestDto = ({ proposed, pairs, largest, items, ...report }: BacktestReport): BacktestEnvelopeDto => ({
  backtest: {
    ...report,
    proposed: versionDto(proposed),
    pairs: pairs.map(pairDto),
    largest: largest && toWire(largest, 'quoteId', 'difference', 'differenceBps'),
    items: items.map(itemDto),
  },
});

const pairDto = ({ sourceAsset, targetAsset, old, proposed, ...counts }: PairTotals): PairTotalsDto => ({
  'source-asset': sourceAsset,
  'target-asset': targetAsset,
  ...counts,
  old: { ...old },
  proposed: { ...proposed },
});

const itemDto = (item: RepricedQuote): RepricedQuoteDto => ({
  ...toWire(item, 'quoteId', 'accountId', 'createdAt', 'sourceAsset', 'targetAsset', 'givenSide', 'rulesVersion'),
  old: termsDto(item.old),
  proposed: item.proposed && termsDto(item.proposed),
  ...toWire(item, 'refusal', 'refusalMessage', 'changed', 'difference', 'differenceBps'),
});

const termsDto = ({ sourceAmount, targetAmount, validitySeconds, ...charges }: RepricedTerms): RepricedTermsDto => ({
  'source-amount': sourceAmount,
  'target-amount': targetAmount,
  ...charges,
  'validity-seconds': validitySeconds,
});
