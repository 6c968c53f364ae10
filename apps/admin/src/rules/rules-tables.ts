import type { RulesCheck } from '@ponte/contracts';
import { columns } from '@ponte/operator';

/** The response of the staff routes. */
export interface WireRules {
  readonly 'in-force': WireAdoption;
  readonly history: readonly WireAdoption[];
}
interface WireAdoption {
  readonly version: string;
  readonly id: string | null;
  readonly 'valid-from': string | null;
  readonly 'valid-to': string | null;
  readonly 'adopted-at': string;
}
interface WireTerms {
  readonly 'source-amount': string;
  readonly 'target-amount': string;
}
interface WireTotals {
  readonly source: string;
  readonly target: string;
  readonly spread: string;
  readonly fee: string;
  readonly iof: string;
}
export interface WireBacktest {
  readonly proposed: { readonly version: string; readonly id: string | null };
  readonly at: string;
  readonly quotes: number;
  readonly changed: number;
  readonly refused: number;
  readonly pairs: readonly {
    readonly 'source-asset': string;
    readonly 'target-asset': string;
    readonly quotes: number;
    readonly changed: number;
    readonly refused: number;
    readonly old: WireTotals;
    readonly proposed: WireTotals;
  }[];
  readonly largest: {
    readonly 'quote-id': string;
    readonly difference: string;
    readonly 'difference-bps': number;
  } | null;
  readonly items: readonly {
    readonly 'quote-id': string;
    readonly 'source-asset': string;
    readonly 'target-asset': string;
    readonly old: WireTerms;
    readonly proposed: WireTerms | null;
    readonly refusal: string | null;
    readonly 'refusal-message': string | null;
    readonly changed: boolean;
    readonly difference: string | null;
    readonly 'difference-bps': number | null;
  }[];
}

const table = (rows: readonly (readonly string[])[]): string => columns(rows).join('\n');

const nameOf = ({ id, version }: { id: string | null; version: string }): string =>
  id === null ? version : `${id} (${version})`;

export function checkTable(check: RulesCheck): string {
  if (check.violations.length === 0) return `the rules ${nameOf(check)} have no violation`;
  return table([['where', 'what'], ...check.violations.map(({ path, message }) => [path || 'the whole', message])]);
}

export function rulesTable({ 'in-force': inForce, history }: WireRules): string {
  const rows = history.map((one) => [
    one['adopted-at'],
    one.id ?? '',
    one.version,
    one['valid-from'] ?? '',
    one['valid-to'] ?? '',
  ]);
  const adoptions = table([['adopted', 'name', 'version', 'valid from', 'valid to'], ...rows]);
  return `in force: ${nameOf(inForce)}\n\n${adoptions}`;
}

/** One row per quote, then the totals of each pair. */
export function backtestTable({ proposed, at, quotes, changed, refused, pairs, largest, items }: WireBacktest): string {
  const itemRows = items.map((item) => [
    item['quote-id'],
    `${item['source-asset']} > ${item['target-asset']}`,
    `${item.old['source-amount']} > ${item.old['target-amount']}`,
    item.proposed
      ? `${item.proposed['source-amount']} > ${item.proposed['target-amount']}`
      : `refused: ${item.refusal} (${item['refusal-message']})`,
    item.difference ?? '',
    item['difference-bps'] === null ? '' : String(item['difference-bps']),
  ]);
  const pairRows = pairs.flatMap((pair) => [
    [`${pair['source-asset']} > ${pair['target-asset']}`, 'old', ...totalsOf(pair.old)],
    [`${pair.quotes} quotes, ${pair.changed} changed, ${pair.refused} refused`, 'proposed', ...totalsOf(pair.proposed)],
  ]);
  return [
    `${nameOf(proposed)}, rows of ${at}`,
    '',
    table([['quote', 'pair', 'old', 'proposed', 'difference', 'bps'], ...itemRows]),
    '',
    table([['pair', '', 'source', 'target', 'spread', 'fee', 'iof'], ...pairRows]),
    '',
    `${quotes} quotes, ${changed} changed, ${refused} refused`,
    ...(largest
      ? [`largest difference: ${largest.difference} (${largest['difference-bps']} bps), quote ${largest['quote-id']}`]
      : []),
  ].join('\n');
}

const totalsOf = ({ source, target, spread, fee, iof }: WireTotals): string[] => [source, target, spread, fee, iof];
