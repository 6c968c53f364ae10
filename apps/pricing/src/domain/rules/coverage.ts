import { isoTime } from '@ponte/kernel';
import type { RuleViolation, TradeReason } from '@ponte/contracts';
import { TRADE_REASON_CODES } from '@ponte/contracts';
import type { AnyRule, RuleTable } from './rule-rows';
import { RULE_TABLES } from './rule-rows';
import type { Dated, IofRule, PricingRules } from './rules';

/** What one row of a table stands for; two rows of the same key may not be in force at the same time. */
const KEYS = {
  spreads: ({ symbol }) => symbol,
  fees: ({ symbol }) => symbol,
  pegs: ({ symbol }) => symbol,
  iof: ({ kind, direction, tradeReason }) => `${kind} ${direction ?? 'both'} ${tradeReason ?? 'any'}`,
  limits: ({ kind }) => kind,
  validity: ({ kind }) => kind,
  rateLocks: ({ name }) => name,
  market: () => '',
} as const satisfies { readonly [T in RuleTable]: (rule: PricingRules[T][number]) => string };

const TABLES = Object.keys(RULE_TABLES) as RuleTable[];
const timeText = (time: number): string => (Math.abs(time) === Infinity ? 'without an end' : isoTime(time));

/**
 * Rows that contradict each other: two of the same key in force at the same time, and rows that are never used because
 * rows before them fit everything that they fit.
 */
export function overlaps(rules: PricingRules): RuleViolation[] {
  return [...TABLES.flatMap((table) => doubled(rules, table)), ...neverUsed(rules.iof)];
}

function doubled(rules: PricingRules, table: RuleTable): RuleViolation[] {
  const keyOf = KEYS[table] as (rule: AnyRule) => string;
  const rows = rules[table] as readonly AnyRule[];
  return rows.flatMap((row, index) =>
    rows.slice(0, index).flatMap((other, before) => {
      const [from, to] = [Math.max(row.validFrom, other.validFrom), Math.min(row.validTo, other.validTo)];
      if (from >= to || keyOf(row) !== keyOf(other)) return [];
      const message = `overlaps ${RULE_TABLES[table]}[${before}] from ${timeText(from)} to ${timeText(to)}`;
      return [{ path: `${RULE_TABLES[table]}[${index}]`, message: `${message}: end one where the other begins` }];
    }),
  );
}

/** Of IOF the first row that fits is used, so a general row before a special one hides it. */
function neverUsed(rows: readonly IofRule[]): RuleViolation[] {
  return rows.flatMap((row, index) => {
    const hidden = rows
      .slice(0, index)
      .findIndex(
        (other) => isMoreGeneral(other, row) && other.validFrom < row.validTo && row.validFrom < other.validTo,
      );
    if (hidden === -1 || row.validFrom === Infinity) return [];
    return [
      { path: `iof[${index}]`, message: `is hidden by the more general iof[${hidden}]: put the special row first` },
    ];
  });
}

const isMoreGeneral = (other: IofRule, row: IofRule): boolean =>
  other.kind === row.kind &&
  covers(other.direction, row.direction) &&
  covers(other.tradeReason, row.tradeReason) &&
  (other.direction !== row.direction || other.tradeReason !== row.tradeReason);
const covers = (general: string | null, special: string | null): boolean => general === null || general === special;

interface Need {
  readonly table: RuleTable;
  /** What has no row, in words. */
  readonly what: string;
  readonly fits: (rule: never) => boolean;
}

/** Every row that some conversion needs. Rate locks are not needed: a lock without a row is not offered. */
const NEEDS: readonly Need[] = [
  ...(['spreads', 'fees', 'pegs'] as const).flatMap((table) =>
    (['USDC', 'USDT'] as const).map((token) => ({
      table,
      what: token,
      fits: (row: { symbol: string }) => row.symbol === token,
    })),
  ),
  ...(['limits', 'validity'] as const).flatMap((table) =>
    (['fx', 'same-currency'] as const).map((kind) => ({
      table,
      what: kind,
      fits: (row: { kind: string }) => row.kind === kind,
    })),
  ),
  ...(['buy', 'sell'] as const).flatMap((direction) =>
    [
      ...(Object.keys(TRADE_REASON_CODES) as TradeReason[]).map((reason) => ['fx', reason] as const),
      ['same-currency', null] as const,
    ].map(([kind, reason]) => ({
      table: 'iof' as const,
      what: [kind, direction, reason].filter(Boolean).join(' '),
      fits: (row: IofRule) => row.kind === kind && covers(row.direction, direction) && covers(row.tradeReason, reason),
    })),
  ),
  { table: 'market', what: 'the market', fits: () => true },
];

/** Times from `from` on, until the rules end, at which a conversion has no row and would be refused. */
export function gaps(rules: PricingRules, from: number): RuleViolation[] {
  const start = Math.max(from, rules.validFrom);
  return NEEDS.flatMap(({ table, what, fits }) => {
    const rows = (rules[table] as readonly Dated[]).filter((row) => fits(row as never) && row.validFrom < Infinity);
    return uncovered(rows, start, rules.validTo).map(([begin, end]) => ({
      path: RULE_TABLES[table],
      message: `has no row for ${what} from ${timeText(begin)} to ${timeText(end)}`,
    }));
  });
}

function uncovered(rows: readonly Dated[], start: number, end: number): [number, number][] {
  const open: [number, number][] = [];
  let covered = start;
  for (const { validFrom, validTo } of [...rows].sort((a, b) => a.validFrom - b.validFrom)) {
    if (validFrom > covered && covered < end) open.push([covered, Math.min(validFrom, end)]);
    covered = Math.max(covered, validTo);
  }
  if (covered < end) open.push([covered, end]);
  return open;
}
