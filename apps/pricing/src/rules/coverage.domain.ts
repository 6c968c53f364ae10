import { isoTime } from '@ponte/kernel';
import type { RuleViolation, TradeReason } from '@ponte/contracts';
import { PAIRS, TRADE_REASON_CODES } from '@ponte/contracts';
import { contradicting } from './contradicting-limits.domain';
import { isOf, RULE_TABLES } from './in-force.domain';
import type { AnyRule, RuleTable } from './in-force.domain';
import type { Dated, IofRule, LimitRule, PricingRules } from './rules.domain';

/** The key of a row in each table. Two rows with the same key must not be in force at the same time. */
const KEYS = {
  spreads: ({ symbol }) => symbol,
  fees: ({ symbol }) => symbol,
  pegs: ({ symbol }) => symbol,
  iof: ({ kind, direction, tradeReason }) => `${kind} ${direction ?? 'both'} ${tradeReason ?? 'any'}`,
  limits: ({ kind, sourceAsset, targetAsset, side }) =>
    `${kind} ${sourceAsset ?? 'any'} ${targetAsset ?? 'any'} ${side ?? 'brl'}`,
  validity: ({ kind }) => kind,
  rateLocks: ({ name }) => name,
  market: () => '',
} as const satisfies { readonly [T in RuleTable]: (rule: PricingRules[T][number]) => string };

const TABLES = Object.keys(RULE_TABLES) as RuleTable[];
const timeText = (time: number): string => (Math.abs(time) === Infinity ? 'without an end' : isoTime(time));

/**
 * Rows that contradict each other: two of the same key in force at the same time, rows that are never used because
 * earlier rows match everything that they match, and rows of which only the order decides which one is used.
 */
export function overlaps(rules: PricingRules): RuleViolation[] {
  return [
    ...TABLES.flatMap((table) => doubled(rules, table)),
    ...(['iof', 'limits'] as const).flatMap((table) => misplaced(rules, table)),
    ...contradicting(rules.limits),
  ];
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

/** What a row matches. The parts are compared one by one, and null matches everything. */
type Selector = readonly (string | null)[];
const SELECTORS = {
  iof: ({ kind, direction, tradeReason }: IofRule): Selector => [kind, direction, tradeReason],
  // Bounds of the BRL amount and of each side are independent, so the first part is never null.
  limits: ({ kind, side, sourceAsset, targetAsset }: LimitRule): Selector => [
    `${kind} ${side ?? 'brl'}`,
    sourceAsset,
    targetAsset,
  ],
} as const;

const covers = (general: string | null, special: string | null): boolean => general === null || general === special;
const coversAll = (general: Selector, special: Selector): boolean =>
  general.every((part, at) => covers(part, special[at] ?? null));
/** What both selectors match, or undefined if nothing does. */
function common(one: Selector, other: Selector): Selector | undefined {
  const parts = one.map((part, at) => [part, other[at] ?? null] as const);
  return parts.every(([left, right]) => covers(left, right) || covers(right, left))
    ? parts.map(([left, right]) => left ?? right)
    : undefined;
}

/**
 * The first matching row is used. A general row therefore hides a special row after it. If two rows match a common case
 * and neither is more general, only their order would decide, unless an earlier row matches exactly that case.
 */
function misplaced(rules: PricingRules, table: 'iof' | 'limits'): RuleViolation[] {
  const selectorOf = SELECTORS[table] as (rule: AnyRule) => Selector;
  const rows = (rules[table] as readonly (IofRule | LimitRule)[]).map((row) => ({ row, selector: selectorOf(row) }));
  return rows.flatMap(({ row, selector }, index) =>
    rows.slice(0, index).flatMap(({ row: other, selector: earlier }, before): RuleViolation[] => {
      const [from, to] = [Math.max(row.validFrom, other.validFrom), Math.min(row.validTo, other.validTo)];
      const both = common(earlier, selector);
      if (from >= to || both === undefined || coversAll(selector, earlier)) return [];
      const path = `${table}[${index}]`;
      if (coversAll(earlier, selector))
        return [
          {
            path,
            message: `can never apply, because the more general ${table}[${before}] matches first: put the specific row first`,
          },
        ];
      const isDecided = rows
        .slice(0, before)
        .some(
          (one) =>
            one.row.validFrom <= from &&
            one.row.validTo >= to &&
            coversAll(both, one.selector) &&
            coversAll(one.selector, both),
        );
      if (isDecided) return [];
      const what = both.filter((part) => part !== null).join(' ');
      return [
        {
          path,
          message: `overlaps ${table}[${before}]: both match ${what}, so put a row for exactly that before them`,
        },
      ];
    }),
  );
}

interface Need {
  readonly table: RuleTable;
  /** What the row is needed for, used in the message. */
  readonly what: string;
  readonly fits: (rule: never) => boolean;
}

/** Every row that a conversion needs. Rate locks are not needed: a lock without a row is not offered. */
const NEEDS: readonly Need[] = [
  ...(['spreads', 'fees', 'pegs'] as const).flatMap((table) =>
    (['USDC', 'USDT'] as const).map((token) => ({
      table,
      what: token,
      fits: (row: { symbol: string }) => row.symbol === token,
    })),
  ),
  ...(['fx', 'same-currency'] as const).map((kind) => ({
    table: 'validity' as const,
    what: kind,
    fits: (row: { kind: string }) => row.kind === kind,
  })),
  ...PAIRS.map((pair) => ({
    table: 'limits' as const,
    what: `${pair.source} to ${pair.target}`,
    fits: (row: LimitRule) => row.kind === pair.conversion && row.side === null && isOf(row, pair),
  })),
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

/** The periods from `from` until the rules end in which a conversion has no row and would be refused. */
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
